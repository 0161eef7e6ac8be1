// Signing in with the sandbox's identity provider (oidc-provider), step by step like a browser: its responses, and the messages
// for users who cannot sign in.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFirstOwner, createInvitedAccount } from '#lib/identity/auth/create-account.ts';
import { describeSignInProblem, type SignInProblem } from '#lib/identity/auth/sign-in-problem.ts';
import { setGroupAccess } from '#lib/identity/groups/group-access.ts';
import { acceptInvitation, createInvitation } from '#lib/identity/members/invitations.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { allowPasswords, setSignInPolicy } from '#lib/identity/sign-in-policy/set-sign-in-policy.ts';
import { newId } from '#lib/core/ids.ts';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { startTestSandbox, type TestSandbox } from '../sandbox/testing/test-sandbox.ts';
import { CookieJar, request } from './testing/authorization-client.ts';
import { buildIfNeeded } from './launcher/build.ts';

const root = new URL('..', import.meta.url).pathname;
const CLIENT = { id: 'patchbay', secret: 'the-secret-of-this-test' };
const OWNER = { email: 'owner@example.com', password: 'four words in a row' };
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const NAME = 'Sandbox ID';

let database: TestDatabase;
let db: Database;
let sandbox: TestSandbox;
let web: StartedProcess;
let base: string;
let ownerId: string;

const webSettings = (own: string, issuer: string) => ({
  DATABASE_URL: database.url,
  PORT: new URL(own).port,
  BASE_URL: own,
  AUTH_SECRET: 'sessions-of-this-test-are-signed-with-this',
  ENCRYPTION_KEYS,
  AUTH_OIDC_ISSUER: issuer,
  AUTH_OIDC_CLIENT_ID: CLIENT.id,
  AUTH_OIDC_CLIENT_SECRET: CLIENT.secret,
  AUTH_OIDC_NAME: NAME,
  LOG_LEVEL: 'silent',
});

beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 2, name: 'identity-provider-test' });
  base = `http://127.0.0.1:${await findFreePort()}`;
  sandbox = await startTestSandbox({
    signInClient: { ...CLIENT, redirectUris: [`${base}/api/auth/callback/oidc`] },
  });
  ownerId = (await createFirstOwner(db, OWNER)).id;
  web = await startProcess('server/web.ts', webSettings(base, sandbox.url));
});
afterEach(async () => {
  await sandbox.control('DELETE', 'faults');
  await sandbox.control('POST', 'settings', { email_verified: 'verified', groups: 'listed' });
  await allowPasswords(db);
});
afterAll(async () => {
  await web.stop();
  await sandbox.close();
  await db.$client.end();
  await database.drop();
});

/** Starts a sign-in with next-auth. @returns the provider's authorize URL, or our own page */
async function begin(jar: CookieJar, own = base): Promise<string> {
  const asked = await fetch(`${own}/api/auth/csrf`, { headers: { cookie: jar.toString() } });
  jar.take(asked);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const answered = await fetch(`${own}/api/auth/signin/oidc`, {
    method: 'POST',
    headers: { cookie: jar.toString(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrfToken, callbackUrl: '/workflows', json: 'true' }),
  });
  jar.take(answered);
  return ((await answered.json()) as { url: string }).url;
}

/** Goes through the provider's pages. @returns the URL to which it redirects the browser */
async function login(authorizeUrl: string, account: string): Promise<string> {
  const answer = await sandbox.control('POST', 'sign-in', { authorize_url: authorizeUrl, account });
  return String(answer.redirect_url);
}

interface Back {
  signedIn: boolean;
  /** The message of the sign-in page; null: signed in. */
  says: string | null;
}

/** Comes back from the provider. */
async function finish(jar: CookieJar, redirectUrl: string): Promise<Back> {
  const answered = await fetch(redirectUrl, { redirect: 'manual', headers: { cookie: jar.toString() } });
  jar.take(answered);
  const signedIn = answered.headers.getSetCookie().some((cookie) => /session-token=[^;]/.test(cookie));
  if (signedIn) return { signedIn, says: null };
  // next-auth has its own page on the way to ours.
  const next = new URL(answered.headers.get('location') ?? '/', base);
  const shown = await fetch(next, { headers: { cookie: jar.toString() } });
  expect(new URL(shown.url).pathname).toBe('/sign-in');
  return { signedIn, says: await shown.text() };
}

async function signIn(account: string, jar = new CookieJar()): Promise<Back> {
  return finish(jar, await login(await begin(jar), account));
}

const escaped = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#x27;');
function expectProblem({ signedIn, says }: Back, problem: SignInProblem): void {
  expect(signedIn).toBe(false);
  expect(says).toContain(escaped(describeSignInProblem(problem, NAME)));
}

const claims = (changed: object, times = 1) =>
  sandbox.control('POST', 'faults', { kind: 'claims', target: 'token', claims: changed, times });
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

describe('what goes wrong is told in plain words', () => {
  const cases: [string, SignInProblem, object][] = [
    ['another issuer', 'wrong_issuer', { iss: 'https://somebody.example' }],
    ['another audience', 'wrong_audience', { aud: 'another-app' }],
    ['no audience', 'wrong_audience', { aud: null }],
    [
      'several audiences without the one it is meant for',
      'wrong_audience',
      { aud: [CLIENT.id, 'another-app'] },
    ],
    ['another authorized party', 'wrong_audience', { azp: 'another-app' }],
    ['no subject', 'invalid_token', { sub: null }],
    ['an expired token', 'expired', { exp: inSeconds(-60) }],
    ['a token from the future', 'clock', { iat: inSeconds(600), nbf: inSeconds(600), exp: inSeconds(900) }],
    ['another nonce', 'interrupted', { nonce: 'replayed' }],
    ['no usable email address', 'email_missing', { email: 'nobody' }],
    [
      'an unverified email address of an account that exists',
      'email_unverified',
      { email: OWNER.email, email_verified: false },
    ],
  ];
  test.each(cases)('%s', async (_, problem, changed) => {
    await claims({ ...changed });
    expectProblem(await signIn('visitor'), problem);
  });

  test('clocks that differ by a few seconds are no problem', async () => {
    await claims({ exp: inSeconds(-5) });
    expect((await signIn('visitor')).signedIn).toBe(true);
    await claims({ iat: inSeconds(5) });
    expect((await signIn('visitor')).signedIn).toBe(true);
  });

  test('a changed state, a code that is used twice, and another browser', async () => {
    const jar = new CookieJar();
    const redirectUrl = new URL(await login(await begin(jar), 'visitor'));
    const changed = new URL(redirectUrl);
    changed.searchParams.set('state', 'changed');
    expectProblem(await finish(jar, changed.href), 'interrupted');
    expectProblem(await finish(new CookieJar(), redirectUrl.href), 'interrupted');
    expect((await finish(jar, redirectUrl.href)).signedIn).toBe(true);
    const again = new CookieJar();
    await begin(again);
    expectProblem(await finish(again, redirectUrl.href), 'interrupted');
  });

  test('the code of one browser with the cookies of another (PKCE)', async () => {
    const [victim, attacker] = [new CookieJar(), new CookieJar()];
    const stolen = new URL(await login(await begin(attacker), 'admin'));
    const own = new URL(await begin(victim));
    stolen.searchParams.set('state', own.searchParams.get('state') ?? '');
    expectProblem(await finish(victim, stolen.href), 'interrupted');
  });

  const answers: [string, SignInProblem][] = [
    ['access_denied', 'cancelled'],
    ['login_required', 'cancelled'],
    ['unauthorized_client', 'client_refused'],
    ['server_error', 'unknown'],
  ];
  test.each(answers)('a login that ends with %s', async (error, problem) => {
    const jar = new CookieJar();
    const state = new URL(await begin(jar)).searchParams.get('state') ?? '';
    const answer = new URLSearchParams({ error, state, iss: sandbox.url });
    expectProblem(await finish(jar, `${base}/api/auth/callback/oidc?${answer}`), problem);
  });

  test('an answer of another provider (RFC 9207)', async () => {
    const jar = new CookieJar();
    const changed = new URL(await login(await begin(jar), 'visitor'));
    changed.searchParams.set('iss', 'https://somebody.example');
    expectProblem(await finish(jar, changed.href), 'wrong_issuer');
  });

  const failures: [string, SignInProblem, object][] = [
    ['does not answer', 'unreachable', { kind: 'drop_before' }],
    ['breaks off', 'unreachable', { kind: 'drop' }],
    ['refuses the app', 'client_refused', { kind: 'error', http_status: 401, message: 'invalid_client' }],
    ['refuses the code', 'interrupted', { kind: 'error', http_status: 400, message: 'invalid_grant' }],
  ];
  test.each(failures)('a token endpoint that %s', async (_, problem, fault) => {
    await sandbox.control('POST', 'faults', { target: 'token', times: 3, ...fault });
    expectProblem(await signIn('visitor'), problem);
  });

  test('claims of somebody else at the userinfo endpoint', async () => {
    await claims({ sub: 'somebody-else', email: null });
    expectProblem(await signIn('visitor'), 'invalid_token');
  });

  test('what the token lacks is asked of the userinfo endpoint', async () => {
    await claims({ email: null, email_verified: null, groups: null, _claim_names: { groups: 'elsewhere' } });
    expect((await signIn('admin')).signedIn).toBe(true);
    const { rows } = await db.$client.query(
      `select email, groups from user_identities join users on users.id = user_id where subject = 'admin'`,
    );
    expect(rows).toEqual([{ email: 'admin@sandbox.example', groups: ['patchbay-owners', 'everyone'] }]);
  });
});

describe('a provider that is not who the settings say', () => {
  const cases: [string, SignInProblem, () => string][] = [
    ['reports another issuer', 'wrong_issuer', () => sandbox.url.replace('127.0.0.1', 'localhost')],
    ['does not answer', 'unreachable', () => 'http://127.0.0.1:9'],
    ['is no OpenID provider', 'unreachable', () => `${sandbox.url}/public`],
  ];
  test.each(cases)('%s', async (_, problem, issuer) => {
    const own = `http://127.0.0.1:${await findFreePort()}`;
    const other = await startProcess('server/web.ts', webSettings(own, issuer()));
    try {
      const jar = new CookieJar();
      const location = await begin(jar, own);
      expect(new URL(location).origin).toBe(own);
      const page = await (await fetch(location, { headers: { cookie: jar.toString() } })).text();
      expect(page).toContain(escaped(describeSignInProblem(problem, NAME)));
    } finally {
      await other.stop();
    }
  });
});

test('a provider that does not know the client’s secret', async () => {
  const own = `http://127.0.0.1:${await findFreePort()}`;
  const settings = { ...webSettings(own, sandbox.url), BASE_URL: base, AUTH_OIDC_CLIENT_SECRET: 'outdated' };
  const other = await startProcess('server/web.ts', settings);
  try {
    const jar = new CookieJar();
    const redirectUrl = await login(await begin(jar, own), 'visitor');
    expectProblem(await finish(jar, redirectUrl.replace(base, own)), 'client_refused');
  } finally {
    await other.stop();
  }
});

describe('a provider that does not say whether an email address is verified', () => {
  const email = 'outsider@sandbox.example';
  const ownerOfAddress = async () =>
    (await db.$client.query<{ id: string }>('select id from users where email = $1', [email])).rows[0]?.id;
  const trust = async (trustsEmails: boolean) =>
    setSignInPolicy(
      await contextOf(),
      { requiresIdentity: false, trustsEmails, breakGlassUserIds: [], accessContact: '' },
      { issuer: sandbox.url, sessionId: newId() },
    );
  /** A member with a password. @returns their id */
  async function join(): Promise<string> {
    await db.$client.query('delete from users where email = $1', [email]);
    const { url } = await createInvitation(await contextOf(), { note: '', role: 'editor', days: 1 });
    const token = url.split('/').at(-1) ?? '';
    return (await createInvitedAccount(db, { email, password: OWNER.password, token })).id;
  }
  const leaveOut = (said: 'unsaid' | 'unverified') =>
    sandbox.control('POST', 'settings', { email_verified: said });

  test('an account with the address stays out of reach until an owner trusts the provider', async () => {
    const id = await join();
    await leaveOut('unsaid');
    expectProblem(await signIn('outsider'), 'email_not_confirmed');
    await trust(true);
    const jar = new CookieJar();
    expect((await signIn('outsider', jar)).signedIn).toBe(true);
    expect(await outcome('/workflows', jar)).toBe('ok');
    expect(await ownerOfAddress()).toBe(id);
    await trust(false);
    expect((await signIn('outsider')).signedIn).toBe(true);
  });

  test('an address that it calls unverified is never trusted, also where only the userinfo endpoint says so', async () => {
    await join();
    await trust(true);
    await leaveOut('unverified');
    expectProblem(await signIn('outsider'), 'email_unverified');
    await claims({ email_verified: null });
    expectProblem(await signIn('outsider'), 'email_unverified');
    await trust(false);
  });

  test('an address that is new here gets an account, which an invitation lets in', async () => {
    await db.$client.query('delete from users where email = $1', [email]);
    await leaveOut('unsaid');
    const jar = new CookieJar();
    expect((await signIn('outsider', jar)).signedIn).toBe(true);
    expect(await outcome('/workflows', jar)).toBe('redirect /no-access');
    const { url } = await createInvitation(await contextOf(), { note: '', role: 'editor', days: 1 });
    const token = url.split('/').at(-1) ?? '';
    expect(await page(`/invitations/${token}`, jar)).toContain(email);
    await acceptInvitation(db, { token, userId: (await ownerOfAddress()) ?? '' });
    expect(await outcome('/workflows', jar)).toBe('ok');
  });
});

const contextOf = async () => ({
  db,
  workspaceId: (await findFirstWorkspace(db)) ?? '',
  actor: ownerId,
  baseUrl: base,
  secrets: createSecretBox(ENCRYPTION_KEYS),
});
const page = async (path: string, jar = new CookieJar()) =>
  (await fetch(base + path, { headers: { cookie: jar.toString() } })).text();
const outcome = async (path: string, jar: CookieJar) =>
  (await request(base + path, { headers: { cookie: jar.toString() } })).outcome;

test('groups decide who may enter, at each sign-in; who may not is told whom to ask', async () => {
  const ctx = await contextOf();
  const setting = { issuer: sandbox.url, sessionId: newId() };
  const policy = {
    requiresIdentity: false,
    trustsEmails: false,
    breakGlassUserIds: [],
    accessContact: 'the service desk',
  };
  await setSignInPolicy(ctx, policy, setting);
  await setGroupAccess(ctx, {
    groupRoles: [
      { group: 'patchbay-owners', role: 'owner' },
      { group: 'patchbay-editors', role: 'editor' },
    ],
    defaultRole: null,
  });
  const [admin, builder, outsider] = [new CookieJar(), new CookieJar(), new CookieJar()];
  await signIn('admin', admin);
  expect(await outcome('/settings/members', admin)).toBe('ok');
  await signIn('builder', builder);
  expect(await outcome('/workflows', builder)).toBe('ok');
  expect(await outcome('/settings/members', builder)).toBe('redirect /no-access');
  await signIn('outsider', outsider);
  expect(await outcome('/workflows', outsider)).toBe('redirect /no-access');
  const told = await page('/no-access', outsider);
  expect(told).toContain('None of your groups has access to Patchbay');
  expect(told).toContain('the service desk');

  await claims({ groups: ['everyone'] });
  await signIn('builder');
  // The older session, too: access is checked at every request.
  expect(await outcome('/workflows', builder)).toBe('redirect /no-access');
  await setGroupAccess(ctx, null);
});

test('groups that do not fit into a token refuse the sign-in where they decide roles, and take no access', async () => {
  const ctx = await contextOf();
  await sandbox.control('POST', 'settings', { groups: 'referenced' });
  expect((await signIn('builder')).signedIn).toBe(true);
  await setGroupAccess(ctx, {
    groupRoles: [{ group: 'patchbay-editors', role: 'editor' }],
    defaultRole: null,
  });
  await sandbox.control('POST', 'settings', { groups: 'listed' });
  const before = new CookieJar();
  await signIn('builder', before);
  await sandbox.control('POST', 'settings', { groups: 'referenced' });
  expectProblem(await signIn('builder'), 'too_many_groups');
  expect(await outcome('/workflows', before)).toBe('ok');
  await setGroupAccess(ctx, null);
});

test('where it is required, passwords are for break-glass owners, and every page shows what works', async () => {
  const ctx = await contextOf();
  const { url } = await createInvitation(ctx, { note: '', role: 'viewer', days: 1 });
  await setSignInPolicy(
    ctx,
    { requiresIdentity: true, trustsEmails: false, breakGlassUserIds: [ownerId], accessContact: '' },
    { issuer: sandbox.url, sessionId: newId() },
  );
  const signInPage = await page('/sign-in');
  expect(signInPage).toContain(`Continue with <!-- -->${NAME}`);
  expect(signInPage).not.toContain('type="password"');
  expect(await page('/sign-in?break_glass=1')).toContain('type="password"');
  const invitation = await page(new URL(url).pathname);
  expect(invitation).toContain(`Continue with <!-- -->${NAME}`);
  expect(invitation).not.toContain('type="password"');
  expect(await page('/forgot-password')).toContain('Only break-glass owners use a password here');
  expect((await signIn('visitor')).signedIn).toBe(true);
});

// Attacks on the second step of signing in, against a running web process.
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readSignInError } from '#components/auth/sign-in.ts';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { signInLimits } from '#lib/identity/schema/accounts.ts';
import { signInPolicy, twoFactor } from '#lib/identity/schema/sign-in.ts';
import { makePasswordQuick } from '#lib/identity/testing/quick-password.ts';
import { totpBinding } from '#lib/identity/two-factor/context.ts';
import { replaceCodes } from '#lib/identity/two-factor/recovery-codes.ts';
import { makeTotpSecret } from '#lib/identity/two-factor/use-code.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { callAction, CookieJar, request } from './testing/authorization-client.ts';
import { readBuiltActions } from './testing/authorization-surface.ts';
import { ENCRYPTION_KEYS } from './testing/beside-sandbox.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const root = new URL('..', import.meta.url).pathname;
const OWNER = { email: 'owner@example.com', password: 'four words in a row' };
const KEY = makeTotpSecret();
const SESSION = 'next-auth.session-token';
const CHALLENGE = 'sign-in-step';

let product: TestProduct;
let db: Database;
let base: string;
let userId: string;
let workspaceId: string;
let codes: string[];

beforeAll(async () => {
  product = await startTestProduct({
    parts: ['web'],
    sandbox: false,
    settings: { TRUST_PROXY: 'on', LOG_LEVEL: 'silent' },
  });
  ({ db, base } = product);
  userId = (await createFirstOwner(db, OWNER)).id;
  await makePasswordQuick(db.$client, OWNER);
  workspaceId = await ensureFirstWorkspace(db);
  const secret = createSecretBox(ENCRYPTION_KEYS).seal(KEY, totpBinding(userId));
  await db.insert(twoFactor).values({ userId, secret, confirmedAt: new Date() });
});
afterAll(() => product.stop());
beforeEach(async () => {
  await db.delete(signInLimits);
  await db.update(twoFactor).set({ lastStep: 0 });
  codes = await db.transaction((tx) => replaceCodes(tx, userId));
});

const code = (): string => TOTP.generate({ secret: Secret.fromBase32(KEY) });

interface Answer {
  hasSession: boolean;
  /** The form's error. */
  error: string | null;
  /** Of the session; null: none was set. */
  session: string | null;
}

/** Submits a step of signing in like the form. */
async function step(
  provider: 'credentials' | 'second-step',
  fields: Record<string, string>,
  jar: CookieJar,
  address = '192.0.2.1',
): Promise<Answer> {
  const headers = () => ({
    cookie: jar.toString(),
    'x-forwarded-for': address,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  });
  const asked = await fetch(`${base}/api/auth/csrf`, { headers: headers() });
  jar.take(asked);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const answered = await fetch(`${base}/api/auth/callback/${provider}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, csrfToken, json: 'true' }),
  });
  jar.take(answered);
  const { url } = (await answered.json()) as { url: string };
  const session = answered.headers.getSetCookie().find((cookie) => cookie.startsWith(`${SESSION}=`));
  return {
    hasSession: session !== undefined,
    error: new URL(url, base).searchParams.get('error'),
    session: session?.split(';')[0] ?? null,
  };
}
const enterPassword = (jar: CookieJar) => step('credentials', OWNER, jar);
const enterCode = (text: string, jar: CookieJar, address?: string) =>
  step('second-step', { code: text }, jar, address);

/** Endpoints for members: a page, a route behind a screen, live updates, a server action. */
async function reach(jar: CookieJar): Promise<string[]> {
  const cookie = jar.toString();
  const search = readBuiltActions(root).get('app/(studio)/settings/actions.ts#signOutElsewhere');
  if (!search) throw new Error('It is not in the build.');
  const nowhere = '00000000-0000-7000-8000-000000000000';
  const answers = [
    await request(`${base}/workflows`, { headers: { cookie } }),
    await request(`${base}/runs/list`, { headers: { cookie } }),
    await request(`${base}/runs/${nowhere}/live`, { headers: { cookie } }),
    await request(`${base}/api/v1/workflows`, { headers: { cookie } }),
    await callAction(base, jar, search, [{}]),
  ];
  return answers.map(({ outcome }) => outcome);
}
const NOBODY = ['redirect /sign-in', 'unauthorized', 'unauthorized', 'unauthorized', 'unauthorized'];
const MEMBER = ['ok', 'ok', 'not_found', 'unauthorized', 'ok'];

test('between the steps there is no session: pages, routes, live updates, API and actions refuse', async () => {
  const jar = new CookieJar();
  expect(await enterPassword(jar)).toMatchObject({ hasSession: false, error: 'SecondStep' });
  expect(jar.toString()).toContain(`${CHALLENGE}=`);
  expect(jar.toString()).not.toContain('known-browser');
  expect(await reach(jar)).toEqual(NOBODY);
  expect(await enterCode(code(), jar)).toMatchObject({ hasSession: true, error: null });
  expect(await reach(jar)).toEqual(MEMBER);
});

test('the second step alone, or with a made-up challenge, signs nobody in', async () => {
  const forged = new CookieJar();
  forged.set(CHALLENGE, randomBytes(24).toString('base64url'));
  for (const jar of [new CookieJar(), forged])
    expect(await enterCode(code(), jar)).toMatchObject({ hasSession: false, error: 'SignInExpired' });
});

test('fields that name somebody are of no use in the second step', async () => {
  const fields = { code: code(), email: OWNER.email, password: OWNER.password, id: userId, userId };
  expect(await step('second-step', fields, new CookieJar())).toMatchObject({ hasSession: false });
});

test('a challenge put where the session belongs is no session', async () => {
  const jar = new CookieJar();
  await enterPassword(jar);
  const [, challenge = ''] = new RegExp(`${CHALLENGE}=([\\w-]+)`).exec(jar.toString()) ?? [];
  expect(challenge).not.toBe('');
  const thief = new CookieJar();
  thief.set(SESSION, challenge);
  expect(await reach(thief)).toEqual(NOBODY);
});

describe('replays', () => {
  test('a code and a challenge that were used are of no use to whoever saw them', async () => {
    const [jar, seen] = [new CookieJar(), code()];
    await enterPassword(jar);
    const [, challenge = ''] = new RegExp(`${CHALLENGE}=([\\w-]+)`).exec(jar.toString()) ?? [];
    expect(await enterCode(seen, jar)).toMatchObject({ hasSession: true });

    const replay = new CookieJar();
    replay.set(CHALLENGE, challenge);
    expect(await enterCode(code(), replay)).toMatchObject({ hasSession: false, error: 'SignInExpired' });
    const fresh = new CookieJar();
    await enterPassword(fresh);
    const again = await enterCode(seen, fresh);
    expect(again.hasSession).toBe(false);
    expect(again.error).toMatch(/This code (was already used|is wrong)/);
  });

  test('a recovery code works once', async () => {
    const [first = '', second = ''] = codes;
    for (const [text, works] of [
      [first, true],
      [first, false],
      [second, true],
    ] as const) {
      const jar = new CookieJar();
      await enterPassword(jar);
      expect(await enterCode(text, jar)).toMatchObject({ hasSession: works });
    }
  });
});

test('guessing is slowed down, over new challenges, too, and from many addresses it ends', async () => {
  const guess = async (address: string) => {
    const jar = new CookieJar();
    await enterPassword(jar);
    return (await enterCode('12 34', jar, address)).error ?? '';
  };
  const told: string[] = [];
  for (let count = 0; count < 8; count += 1) told.push(await guess('192.0.2.1'));
  expect(told[0]).toContain('This code is wrong');
  expect(told.at(-1)).toContain('Too many failed attempts');
  for (let count = 0; count < 30; count += 1) await guess(`198.51.100.${count}`);
  expect(await guess('203.0.113.1')).toContain('Too many wrong codes for this account today');
});

test('a session is a new one after each sign-in: one that was planted before stays nobody’s', async () => {
  const jar = new CookieJar();
  await enterPassword(jar);
  const first = await enterCode(code(), jar);
  const planted = new CookieJar();
  planted.set(SESSION, first.session?.slice(`${SESSION}=`.length) ?? '');
  await db.$client.query('delete from user_sessions');
  await db.update(twoFactor).set({ lastStep: 0 });
  // The victim signs in with the planted cookie in their browser.
  const victim = new CookieJar();
  victim.set(SESSION, first.session?.slice(`${SESSION}=`.length) ?? '');
  await enterPassword(victim);
  expect((await enterCode(code(), victim)).hasSession).toBe(true);
  expect(await reach(victim)).toEqual(MEMBER);
  expect(await reach(planted)).toEqual(NOBODY);
});

test('a session that is ended elsewhere loses access with its next request, live updates included', async () => {
  await db.$client.query('delete from user_sessions');
  const [here, there] = [new CookieJar(), new CookieJar()];
  await enterPassword(there);
  await enterCode(code(), there);
  expect(await reach(there)).toEqual(MEMBER);
  const { rows } = await db.$client.query<{ id: string }>('select * from user_sessions');
  expect(rows).toMatchObject([{ address: '192.0.2.1', signed_in_by: 'two_factor' }]);
  await enterPassword(here);
  await enterCode(codes[0] ?? '', here);
  const end = readBuiltActions(root).get('app/(studio)/settings/actions.ts#signOutBrowser');
  if (!end) throw new Error('It is not in the build.');
  expect((await callAction(base, here, end, [{ id: rows[0]?.id }])).outcome).toBe('ok');
  expect(await reach(there)).toEqual(NOBODY);
  expect(await reach(here)).toEqual(MEMBER);
});

test('who may not use a password any more when the code is entered is told why, and is not signed in', async () => {
  const jar = new CookieJar();
  await enterPassword(jar);
  await db.insert(signInPolicy).values({ requiresIdentity: true });
  const { hasSession, error } = await enterCode(code(), jar);
  await db.delete(signInPolicy);
  expect(hasSession).toBe(false);
  expect(readSignInError(error)).toContain('requires you to sign in with the identity provider');
  expect(jar.toString()).not.toContain('known-browser');
});

test('where the workspace requires it, who has none is led to its setup and gets nowhere else', async () => {
  await db.delete(twoFactor);
  await db.$client.query('update workspaces set two_factor_required_at = now() where id = $1', [workspaceId]);
  const jar = new CookieJar();
  expect(await enterPassword(jar)).toMatchObject({ hasSession: true, error: null });
  const FORBIDDEN = ['redirect /two-factor', 'forbidden', 'forbidden', 'unauthorized', 'forbidden'];
  expect(await reach(jar)).toEqual(FORBIDDEN);
  const cookie = jar.toString();
  expect((await request(`${base}/two-factor`, { headers: { cookie } })).outcome).toBe('ok');
  expect((await request(`${base}/no-access`, { headers: { cookie } })).outcome).toBe('redirect /two-factor');

  const call = (name: string, input: object) => {
    const built = readBuiltActions(root).get(`app/(studio)/settings/account/actions.ts#${name}`);
    if (!built) throw new Error('It is not in the build.');
    return callAction(base, jar, built, [input]);
  };
  // The password was entered a moment ago.
  const started = await call('startTwoFactor', { password: '' });
  expect(started.outcome).toBe('ok');
  const [, key = ''] = /"setupKey":"([A-Z2-7]{32})"/.exec(started.body) ?? [];
  expect((await call('confirmTwoFactor', { code: '12 34' })).outcome).toBe('invalid_request');
  expect(await reach(jar)).toEqual(FORBIDDEN);
  const shown = TOTP.generate({ secret: Secret.fromBase32(key) });
  expect((await call('confirmTwoFactor', { code: shown })).outcome).toBe('ok');
  expect(await reach(jar)).toEqual(MEMBER);
});

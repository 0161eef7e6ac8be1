// Signing in with a passkey, with two web processes that share one database and one address.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { startSession } from '#lib/identity/auth/user-sessions.ts';
import { confirmPasskey, startAddingPasskey } from '#lib/identity/passkeys/add-passkey.ts';
import { passkeys, signInPolicy, twoFactor } from '#lib/identity/schema/sign-in.ts';
import { SoftwarePasskey } from '#lib/identity/testing/software-passkey.ts';
import { totpBinding } from '#lib/identity/two-factor/context.ts';
import { makeTotpSecret } from '#lib/identity/two-factor/use-code.ts';
import { callAction, CookieJar, request } from './testing/authorization-client.ts';
import { readBuiltActions } from './testing/authorization-surface.ts';
import { ENCRYPTION_KEYS } from './testing/beside-sandbox.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const root = new URL('..', import.meta.url).pathname;
const OWNER = { email: 'owner@example.com', password: 'four words in a row' };
const SESSION = 'next-auth.session-token';
const CHALLENGE = 'passkey-challenge';

let product: TestProduct;
let db: Database;
/** The first is the installation's own address, the second another process behind it. */
let bases: [string, string];
let passkey: SoftwarePasskey;

beforeAll(async () => {
  const port = await findFreePort();
  const own = `http://localhost:${port}`;
  product = await startTestProduct({
    parts: ['web'],
    sandbox: false,
    settings: { PORT: String(port), BASE_URL: own, TRUST_PROXY: 'on', LOG_LEVEL: 'silent' },
  });
  db = product.db;
  bases = [own, (await product.start('web')).base.replace('127.0.0.1', 'localhost')];
  const { id } = await createFirstOwner(db, OWNER);
  const secrets = createSecretBox(ENCRYPTION_KEYS);
  // A second factor: the password alone is not enough.
  const secret = secrets.seal(makeTotpSecret(), totpBinding(id));
  await db.insert(twoFactor).values({ userId: id, secret, confirmedAt: new Date() });
  await db.$client.query('update workspaces set two_factor_required_at = now()');
  const relyingParty = { id: 'localhost', origin: bases[0] };
  const ctx = { db, secrets, canMail: false, relyingParty };
  const sessionId = await startSession(db, id, { signedInBy: 'passkey' });
  const signedIn = { signedInBy: 'passkey' as const, signedInAt: new Date() };
  const session = { id, email: OWNER.email, sessionId, ...signedIn };
  const proof = { password: '', code: '' };
  const { options, sealed } = await startAddingPasskey(ctx, session, { name: 'Laptop', ...proof });
  passkey = new SoftwarePasskey(bases[0]);
  await confirmPasskey(ctx, session, { sealed, response: passkey.create(options) });
});
afterAll(() => product.stop());
beforeEach(() => db.$client.query('delete from user_sessions; delete from sign_in_limits'));

/** Requests a challenge like the sign-in page; its cookie is in the jar afterwards. */
async function start(base: string, jar: CookieJar): Promise<{ challenge: string }> {
  const action = readBuiltActions(root).get('app/(auth)/actions.ts#startPasskey');
  if (!action) throw new Error('It is not in the build.');
  const { body, cookies } = await callAction(base, jar, action, [{}]);
  const [, name = '', value = ''] =
    /^([^=]+)=([^;]*)/.exec(cookies.find((set) => set.startsWith(CHALLENGE)) ?? '') ?? [];
  jar.set(name, value);
  return { challenge: /"challenge":"([\w-]+)"/.exec(body)?.[1] ?? '' };
}

/** @returns the form's error; null: signed in */
async function finish(base: string, jar: CookieJar, response: string): Promise<string | null> {
  const headers = () => ({ cookie: jar.toString(), 'x-forwarded-for': '192.0.2.1' });
  const asked = await fetch(`${base}/api/auth/csrf`, { headers: headers() });
  jar.take(asked);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const answered = await fetch(`${base}/api/auth/callback/passkey`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ response, csrfToken, json: 'true' }),
  });
  jar.take(answered);
  const { url } = (await answered.json()) as { url: string };
  const isIn = answered.headers.getSetCookie().some((cookie) => cookie.startsWith(`${SESSION}=`));
  return isIn ? null : new URL(url, base).searchParams.get('error');
}

const reach = async (jar: CookieJar): Promise<string> =>
  (await request(`${bases[0]}/workflows`, { headers: { cookie: jar.toString() } })).outcome;

test('a challenge of one process is answered at the other: no code is asked for, and the requirement is met', async () => {
  const jar = new CookieJar();
  const options = await start(bases[0], jar);
  expect(await finish(bases[1], jar, passkey.answer(options))).toBeNull();
  expect(await reach(jar)).toBe('ok');
  const { rows } = await db.$client.query('select * from user_sessions');
  expect(rows).toMatchObject([{ signed_in_by: 'passkey', address: '192.0.2.1' }]);
});

test('an answer that was used is refused by both, and without its cookie it is of no use', async () => {
  const jar = new CookieJar();
  const options = await start(bases[0], jar);
  const response = passkey.answer(options, { counter: 0x1000 });
  expect(await finish(bases[0], new CookieJar(), response)).toContain('Try again');
  const copy = new CookieJar();
  copy.set(CHALLENGE, new RegExp(`${CHALLENGE}=([^;]+)`).exec(jar.toString())?.[1] ?? '');
  expect(await finish(bases[0], jar, response)).toBeNull();
  for (const base of bases) {
    expect(await finish(base, copy, response)).toContain('Try again');
    expect(await reach(copy)).toBe('redirect /sign-in');
  }
});

test('another process is no other origin: what was signed for its own address is refused', async () => {
  const jar = new CookieJar();
  const options = await start(bases[1], jar);
  const response = passkey.answer(options, { counter: 0x2000, origin: bases[1] });
  expect(await finish(bases[1], jar, response)).toContain('could not be verified');
});

test('wrong answers are counted by all processes together', async () => {
  const told: (string | null)[] = [];
  for (let count = 0; count < 8; count += 1) {
    const base = bases[count % 2 === 0 ? 0 : 1];
    const jar = new CookieJar();
    const options = await start(base, jar);
    told.push(await finish(base, jar, passkey.answer(options, { origin: 'https://evil.example' })));
  }
  expect(told[0]).toContain('could not be verified');
  expect(told.at(-1)).toContain('Too many failed attempts');
});

test('the sign-in page has its button where somebody has a passkey, but not where the provider is required', async () => {
  const page = async () => (await request(`${bases[0]}/sign-in`)).body;
  const BUTTON = 'Sign in with a passkey';
  expect(await page()).toContain(BUTTON);
  await db.insert(signInPolicy).values({ requiresIdentity: true });
  expect(await page()).not.toContain(BUTTON);
  const jar = new CookieJar();
  const options = await start(bases[0], jar);
  const refused = await finish(bases[0], jar, passkey.answer(options, { counter: 0x3000 }));
  expect(refused).toContain('Your passkey is not used here');
  await db.delete(signInPolicy);
  await db.delete(passkeys);
  expect(await page()).not.toContain(BUTTON);
});

// The first account and signing in, with a running, publicly reachable web process: a proxy in front of it reports the callers'
// addresses.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setupCodeOf } from '#lib/identity/auth/create-account.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { makePasswordQuick } from '#lib/identity/testing/quick-password.ts';
import { callAction, CookieJar } from './testing/authorization-client.ts';
import { readBuiltActions } from './testing/authorization-surface.ts';
import type { StartedPart } from './testing/product.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const root = new URL('..', import.meta.url).pathname;
const AUTH_SECRET = randomBytes(24).toString('hex');
const OWNER = { email: 'owner@example.com', password: 'four words in a row' };
const HOME = '192.0.2.1';

let product: TestProduct;
let pool: Pool;
let base: string;
/** Another web process of the same installation. */
let second: StartedPart;

beforeAll(async () => {
  product = await startTestProduct({
    parts: ['web'],
    sandbox: false,
    settings: {
      TRUST_PROXY: 'on',
      AUTH_SECRET,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'patchbay@example.com',
      LOG_LEVEL: 'silent',
    },
  });
  second = await product.start('web');
  base = product.base;
  pool = product.db.$client;
});
afterAll(() => product.stop());

interface Attempt {
  email?: string;
  password?: string;
  address?: string;
  /** A browser that keeps its cookies; a new one when left out. */
  jar?: CookieJar;
  /** The address of the web process. */
  at?: string;
}

/** Signs in like the form. @returns whether it worked */
async function signIn({
  email = OWNER.email,
  password = OWNER.password,
  address = HOME,
  jar = new CookieJar(),
  at = base,
}: Attempt = {}): Promise<boolean> {
  const headers = () => ({ cookie: jar.toString(), 'x-forwarded-for': address });
  const asked = await fetch(`${at}/api/auth/csrf`, { headers: headers() });
  jar.take(asked);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const answered = await fetch(`${at}/api/auth/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrfToken, email, password, json: 'true' }),
  });
  jar.take(answered);
  return answered.headers.getSetCookie().some((cookie) => cookie.includes('next-auth.session-token='));
}

const failAtOnce = (count: number, attempt: Attempt) =>
  Promise.all(Array.from({ length: count }, () => signIn({ ...attempt, password: 'wrong' })));

test('the first visitor from elsewhere owns nothing without the code that was printed at the start', async () => {
  const create = readBuiltActions(root).get('app/(auth)/actions.ts#createOwner');
  if (!create) throw new Error('It is not in the build.');
  const attempt = (more: object) => callAction(base, new CookieJar(), create, [{ ...OWNER, ...more }]);
  for (const more of [{}, { setupCode: '' }, { setupCode: setupCodeOf('another secret') }]) {
    const { outcome, body } = await attempt(more);
    expect(outcome).toBe('invalid_request');
    expect(body).toContain('setupCode');
  }
  expect(await (await fetch(`${base}/welcome`)).text()).toContain('Setup code');
  expect((await attempt({ setupCode: setupCodeOf(AUTH_SECRET) })).outcome).toBe('ok');
  expect((await attempt({ setupCode: setupCodeOf(AUTH_SECRET) })).outcome).toBe('conflict');
  expect(await signIn()).toBe(true);
  await makePasswordQuick(pool, OWNER);
});

test('wrong passwords from anywhere keep nobody else out', async () => {
  for (let index = 10; index < 23; index += 1) await failAtOnce(4, { address: `198.51.100.${index}` });
  expect(await signIn()).toBe(true);
});

test('a browser that asks for its session is told no id of it, signed in or out', async () => {
  const jar = new CookieJar();
  expect(await signIn({ jar })).toBe(true);
  const ask = () => fetch(`${base}/api/auth/session`, { headers: { cookie: jar.toString() } });
  const expiresOnly = { expires: expect.any(String) as string };
  expect(await (await ask()).json()).toEqual(expiresOnly);
  const { rows } = await pool.query('delete from user_sessions returning id');
  expect(rows).not.toEqual([]);
  expect(await (await ask()).json()).toEqual(expiresOnly);
});

/** Fails until there is a pause, and extends it until it is ended, so that it does not depend on the machine's speed. */
async function failUntilPaused(address: string): Promise<void> {
  await failAtOnce(8, { address });
  const { rowCount } = await pool.query(
    `update sign_in_limits set expire = expire + 3600000 where key like 'pause:%'`,
  );
  expect(rowCount).toBe(1);
}
const endPause = () => pool.query(`delete from sign_in_limits where key like 'pause:%'`);

test('wrong passwords from one address keep out no known browser there, no other account, and nobody for good', async () => {
  const [known, address] = [new CookieJar(), '192.0.2.7'];
  expect(await signIn({ jar: known, address })).toBe(true);
  await failUntilPaused(address);
  expect(await signIn({ address })).toBe(false);
  expect(await signIn({ jar: known, address })).toBe(true);
  expect(await signIn({ jar: forge(known), address })).toBe(false);
  await endPause();
  expect(await signIn({ address })).toBe(true);
});

test('failures and requests for a new password count over all web processes', async () => {
  const address = '192.0.2.8';
  for (let index = 0; index < 6; index += 1)
    await signIn({ address, password: 'wrong', at: index % 2 === 0 ? base : second.base });
  await pool.query(`update sign_in_limits set expire = expire + 3600000 where key like 'pause:%'`);
  expect(await signIn({ address })).toBe(false);
  expect(await signIn({ address, at: second.base })).toBe(false);
  await endPause();
  expect(await signIn({ address, at: second.base })).toBe(true);
  const requestReset = readBuiltActions(root).get('app/(auth)/actions.ts#requestReset');
  if (!requestReset) throw new Error('It is not in the build.');
  const outcomes: unknown[] = [];
  for (const at of [base, second.base, base, second.base, base])
    outcomes.push((await callAction(at, new CookieJar(), requestReset, [{ email: OWNER.email }])).outcome);
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'rate_limited', 'rate_limited']);
});

/** The same browser with a forged signature. */
function forge(known: CookieJar): CookieJar {
  const forged = new CookieJar();
  const [, name = '', id = ''] = /(known-browser-\w+)=([\w-]+)\./.exec(known.toString()) ?? [];
  expect(name).not.toBe('');
  forged.set(name, `${id}.${randomBytes(32).toString('base64url')}`);
  return forged;
}

test.each([
  'http://[',
  'javascript:alert(1)',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\0',
])('a callback URL %j is no error and leads nowhere else', async (hostile) => {
  const query = new URLSearchParams({ callbackUrl: hostile });
  const cookie = `next-auth.callback-url=${encodeURIComponent(hostile)}`;
  for (const path of ['signin', 'signin/oidc', 'csrf', 'session', 'error', 'signout'])
    for (const headers of [new Headers(), new Headers({ cookie })]) {
      const answer = await fetch(`${base}/api/auth/${path}?${query}`, { redirect: 'manual', headers });
      expect(answer.status, path).toBeLessThan(500);
      const location = answer.headers.get('location');
      if (location !== null) expect(new URL(location, base).origin, path).toBe(base);
      expect(decodeURIComponent(location ?? ''), path).not.toContain('evil');
    }
  const jar = new CookieJar();
  const asked = await fetch(`${base}/api/auth/csrf`);
  jar.take(asked);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const answered = await fetch(`${base}/api/auth/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: jar.toString(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...OWNER, csrfToken, callbackUrl: hostile }),
  });
  expect(answered.status).toBe(302);
  expect(new URL(answered.headers.get('location') ?? '', base).origin).toBe(base);
});

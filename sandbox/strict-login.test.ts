import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startStrictSandbox, type StrictSandbox } from './testing/strict-sandbox.ts';

const REDIRECT_URI = 'http://127.0.0.1:3999/oauth/callback';
const CONFIG_ID = '800000000000001';
const SIXTY_DAYS = 60 * 86_400;

let sandbox: StrictSandbox;
beforeAll(async () => {
  sandbox = await startStrictSandbox({ client: { redirectUris: [REDIRECT_URI] } });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control('POST', 'reset'));

const authorizeUrl = (query: Record<string, string>) =>
  `${sandbox.url}/oauth/authorize?${new URLSearchParams({
    client_id: sandbox.app.id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    state: 'a-state-of-the-test',
    ...query,
  })}`;
const signIn = (query: Record<string, string>) =>
  sandbox.call('POST', '/__sandbox/sign-in', { authorize_url: authorizeUrl(query) });
const codeOf = async () => {
  const { body } = await signIn({ config_id: CONFIG_ID });
  return new URL(String(body.redirect_url)).searchParams.get('code') ?? '';
};
const client = () => ({ client_id: sandbox.app.id, client_secret: sandbox.app.secret });
const accessToken = (fields: Record<string, string>) =>
  sandbox.call('GET', `/v25.0/oauth/access_token?${new URLSearchParams({ ...client(), ...fields })}`);
const takeCode = async () => accessToken({ code: await codeOf(), redirect_uri: REDIRECT_URI });
const inspect = async (token: string) =>
  (await sandbox.asApp('GET', `debug_token?input_token=${token}`)).body.data;

test.each([
  ['no config_id', { scope: 'chat_business_messaging' }, /isn’t available/],
  ['another config_id', { config_id: '1' }, /no login configuration with the id 1/],
  ['a scope beside it', { config_id: CONFIG_ID, scope: 'chat_business_messaging' }, /takes no scope/],
])('the login refuses %s', async (_what, query, words) => {
  const { status, body } = await signIn(query);
  expect(status).toBe(400);
  expect(String(body.error)).toMatch(words);
});

test('the token has the scopes of the configuration; its answer has no token_type, no scope, no refresh token', async () => {
  const body = new URLSearchParams({
    ...client(),
    grant_type: 'authorization_code',
    code: await codeOf(),
    redirect_uri: REDIRECT_URI,
  });
  const answer = await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', body });
  const tokens = (await answer.json()) as { access_token: string };
  expect(tokens).toEqual({ access_token: expect.any(String) as string, expires_in: SIXTY_DAYS });
  expect(await inspect(tokens.access_token)).toMatchObject({
    scopes: ['business_management', 'whatsapp_business_management', 'whatsapp_business_messaging'],
  });
});

test('the configuration may ask for manage_events in place of management', async () => {
  const scopes = ['whatsapp_business_manage_events', 'whatsapp_business_messaging'];
  await sandbox.control('POST', 'settings', { login_scopes: scopes });
  const token = String((await takeCode()).body.access_token);
  expect(await inspect(token)).toMatchObject({ scopes });
  expect(await sandbox.graph('GET', `${IDS.books}/phone_numbers`, undefined, token)).toMatchObject({
    status: 200,
  });
});

test('fb_exchange_token gives another token of 60 days, until the first has ended', async () => {
  const first = String((await takeCode()).body.access_token);
  await sandbox.control('POST', 'clock', { move_seconds: SIXTY_DAYS - 3600 });
  const exchange = () => accessToken({ grant_type: 'fb_exchange_token', fb_exchange_token: first });
  const { body } = await exchange();
  expect(body).toEqual({ access_token: expect.any(String) as string, expires_in: SIXTY_DAYS });
  await sandbox.control('POST', 'clock', { move_seconds: 7200 });
  expect(await exchange()).toMatchObject({ status: 400, body: { error: { code: 190, error_subcode: 463 } } });
  expect(await sandbox.graph('GET', 'me', undefined, first)).toMatchObject({ status: 401 });
  const second = await sandbox.graph('GET', 'me', undefined, String(body.access_token));
  expect(second).toMatchObject({ status: 200, body: { id: 'admin' } });
});

test('the app token comes from the client secret; a wrong secret or code is refused', async () => {
  expect((await accessToken({ grant_type: 'client_credentials' })).body).toEqual({
    access_token: sandbox.appToken,
  });
  expect(await accessToken({ client_secret: 'wrong' })).toMatchObject({
    status: 400,
    body: { error: { code: 1 } },
  });
  const wrong = await accessToken({ code: 'wrong', redirect_uri: REDIRECT_URI });
  expect(wrong).toMatchObject({ status: 400, body: { error: { code: 100 } } });
});

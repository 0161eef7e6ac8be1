import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { beginLogin, exchangeCode, exchangeToken, refreshTokens } from './identity.ts';
import type { PlatformSettings } from './settings.ts';

let answer: { status: number; type?: string; body: string };
let asked: {
  path: string | undefined;
  query: Record<string, string>;
  type: string | undefined;
  agent: string | undefined;
};
let settings: PlatformSettings;

const server = createServer((req, res) => {
  void Array.fromAsync(req, String).then((chunks) => {
    asked = {
      path: req.url,
      query: Object.fromEntries(new URLSearchParams(chunks.join(''))),
      type: req.headers['content-type'],
      agent: req.headers['user-agent'],
    };
    res.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  settings = {
    authorizeUrl: `${url}/dialog?config_id=7`,
    tokenUrl: `${url}/token`,
    graphUrl: url,
    graphVersion: 'v24.0',
    clientId: 'app',
    clientSecret: 'secret',
    scopes: ['send', 'manage'],
    redirectUri: 'https://patchbay.example/oauth/callback',
    timeoutMs: 5000,
  } as PlatformSettings;
});
afterAll(() => void server.close());
beforeEach(() => (answer = { status: 200, body: '' }));

const answers = (status: number, body: object, type?: string): void =>
  void (answer = { status, body: JSON.stringify(body), ...(type ? { type } : {}) });

test('a login begins at the URL of the settings, whose own parameters stay', async () => {
  const { url, state, codeVerifier } = await beginLogin(settings);
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    config_id: '7',
    client_id: 'app',
    response_type: 'code',
    scope: 'send manage',
    state,
  });
  expect(codeVerifier).toMatch(/^[\w-]{43}$/);
  for (const missing of ['authorizeUrl', 'tokenUrl', 'clientId'])
    await expect(beginLogin({ ...settings, [missing]: undefined })).rejects.toMatchObject({
      kind: 'not_configured',
    });
});

test('a login with a configuration names it, and no scope', async () => {
  const { url } = await beginLogin({
    ...settings,
    authorizeUrl: settings.tokenUrl,
    loginConfigId: '8',
    scopes: [],
  });
  const query = new URL(url).searchParams;
  expect([query.get('config_id'), query.get('scope')]).toEqual(['8', null]);
});

test('an answer that names no type of its token has a bearer token', async () => {
  answers(200, { access_token: 'a', expires_in: 5_184_000 });
  expect(await exchangeCode(settings, { code: 'c', codeVerifier: 'v' })).toMatchObject({
    accessToken: 'a',
    refreshToken: null,
    expiresInSeconds: 5_184_000,
    scopes: null,
  });
});

test('a code and a refresh token are exchanged form-encoded, the secret in the body', async () => {
  answers(
    200,
    { access_token: 'a', token_type: 'bearer', expires_in: '1800', scope: 'send,manage' },
    'text/javascript',
  );
  expect(await exchangeCode(settings, { code: 'c', codeVerifier: 'v' })).toEqual({
    accessToken: 'a',
    refreshToken: null,
    expiresInSeconds: 1800,
    refreshExpiresInSeconds: null,
    scopes: ['send', 'manage'],
  });
  expect(asked.type).toMatch(/^application\/x-www-form-urlencoded/);
  expect(asked.agent).toMatch(/^Patchbay\//);
  expect(asked.query).toEqual({
    grant_type: 'authorization_code',
    code: 'c',
    code_verifier: 'v',
    redirect_uri: settings.redirectUri,
    client_id: 'app',
    client_secret: 'secret',
  });
  answers(200, {
    access_token: 'b',
    token_type: 'Bearer',
    refresh_token: 'r2',
    refresh_token_expires_in: 7776000,
  });
  expect(await refreshTokens({ ...settings, authorizeUrl: undefined }, 'r1')).toMatchObject({
    refreshToken: 'r2',
    expiresInSeconds: null,
    refreshExpiresInSeconds: 7_776_000,
    scopes: null,
  });
  expect(asked.query).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'r1' });
});

test('a token is exchanged where the graph API is, with no secret in the URL', async () => {
  answers(200, { access_token: 'b', expires_in: 5_184_000 });
  expect(await exchangeToken({ ...settings, tokenUrl: undefined }, 'a')).toMatchObject({
    accessToken: 'b',
    refreshToken: null,
    expiresInSeconds: 5_184_000,
  });
  expect(asked).toMatchObject({
    path: '/v24.0/oauth/access_token',
    query: {
      grant_type: 'fb_exchange_token',
      fb_exchange_token: 'a',
      client_id: 'app',
      client_secret: 'secret',
    },
  });
  await expect(exchangeToken({ ...settings, clientSecret: undefined }, 'a')).rejects.toMatchObject({
    kind: 'not_configured',
  });
});

test('a refusal says the words of the platform without the token, and 190 is final', async () => {
  const refusal = (code: number) => ({ error: { message: `Session of not-for-logs ended.`, code } });
  const exchanged = () => exchangeToken(settings, 'not-for-logs').catch((error: unknown) => error);
  answers(400, refusal(190));
  const message = 'The identity provider refused: Session of [redacted] ended.';
  expect(await exchanged()).toMatchObject({ name: 'IdentityError', isFinal: true, message });
  answers(400, refusal(1));
  expect(await exchanged()).toMatchObject({ isFinal: false, message });
  expect(inspect(await exchanged())).not.toContain('not-for-logs');
});

test.for([
  [
    400,
    { error: 'invalid_grant', error_description: 'It was revoked.' },
    'invalid_grant: It was revoked.',
    true,
  ],
  [401, { error: 'invalid_client' }, 'invalid_client.', false],
  [400, { error: { message: 'Invalid verification code.', code: 100 } }, 'Invalid verification code.', false],
  [503, { error: 'invalid_grant' }, 'status 503', false],
  [200, { access_token: 'not-for-logs', token_type: 7 }, '"token_type" property must be a string', false],
  [200, [], 'invalid response', false],
  [204, null, 'status 204', false],
] as const)('%s %j gives no tokens', async ([status, body, said, isFinal]) => {
  answers(status, body as object);
  if (body === null) answer.body = '';
  for (const type of ['application/json', 'text/plain']) {
    answer.type = type;
    const error: unknown = await refreshTokens(settings, 'a-refresh-token').catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'IdentityError', isFinal });
    expect((error as Error).message).toContain(said);
    expect(inspect(error)).not.toContain('not-for-logs');
  }
});

test('an identity provider that cannot be reached decides nothing', async () => {
  await expect(refreshTokens({ ...settings, tokenUrl: 'http://127.0.0.1:1/' }, 'r')).rejects.toMatchObject({
    name: 'IdentityError',
    isFinal: false,
    message: expect.stringContaining('did not answer') as string,
  });
});

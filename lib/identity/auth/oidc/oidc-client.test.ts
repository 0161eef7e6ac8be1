// Causes of failed sign-ins that the sandbox's identity provider does not support, with a small provider over HTTP.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkOidcProvider } from './check-oidc-provider.ts';
import { openOidcClient } from './oidc-client.ts';

const CLIENT_ID = 'patchbay';
const CHECKS = { state: 'the-state', nonce: 'the-nonce', codeVerifier: 'v'.repeat(43) };
const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const [known, unknown] = [makeKeys(), makeKeys()];

interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: unknown;
}

let server: Server;
let issuer: string;
/** The provider's responses by path; anything else is 404. */
let replies: Record<string, Reply>;
let authorization: string | undefined;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function idToken(claims: object = {}, key: KeyObject | null = known.privateKey, alg = 'RS256'): string {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: issuer, sub: 'anna', aud: CLIENT_ID, nonce: CHECKS.nonce, iat: now, exp: now + 300 };
  const signed = `${encode({ alg, kid: 'k' })}.${encode({ ...usual, ...claims })}`;
  const dsaEncoding = 'ieee-p1363';
  const signature = key && sign('sha256', Buffer.from(signed), { key, dsaEncoding });
  return `${signed}.${signature?.toString('base64url') ?? ''}`;
}

const tokens = (id_token: string) => ({ access_token: 'at', token_type: 'Bearer', id_token });

function respond(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/token') authorization = request.headers.authorization;
  const {
    status = 200,
    type = 'application/json',
    headers,
    body,
  } = replies[request.url ?? ''] ?? {
    status: 404,
    body: {},
  };
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

beforeAll(async () => {
  server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  replies = {
    '/.well-known/openid-configuration': { body: discovery() },
    '/keys': { body: { keys: [{ ...known.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] } },
    '/token': { body: tokens(idToken()) },
    '/userinfo': { body: { sub: 'anna', email: 'anna@example.com' } },
  };
});
afterAll(() => server.close());

const discovery = (own: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
  id_token_signing_alg_values_supported: ['RS256', 'ES256', 'none'],
  ...own,
});

const open = (secret?: string) =>
  openOidcClient({
    AUTH_OIDC_ISSUER: issuer,
    AUTH_OIDC_CLIENT_ID: CLIENT_ID,
    AUTH_OIDC_CLIENT_SECRET: secret,
  });

const redeem = async (answer: object = {}, secret?: string) =>
  (await open(secret)).redeemCode(
    new URL(
      `http://app.example/callback?${new URLSearchParams({ code: 'c', state: CHECKS.state, ...answer })}`,
    ),
    CHECKS,
  );

test('gives the claims of a verified ID token', async () => {
  await expect(redeem()).resolves.toMatchObject({ accessToken: 'at', claims: { sub: 'anna', iss: issuer } });
  expect(authorization).toBeUndefined();
});

test.each([
  ['ES256', 'is taken: the provider lists it', true],
  ['ES384', 'is refused: the provider does not list it', false],
])('an ID token signed with %s %s', async (alg, _, isTaken) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  replies['/keys'] = { body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] } };
  replies['/token'] = { body: tokens(idToken({}, privateKey, alg)) };
  const redeemed = expect(redeem());
  await (isTaken
    ? redeemed.resolves.toBeDefined()
    : redeemed.rejects.toMatchObject({ problem: 'invalid_token' }));
});

test('sends the secret in the header', async () => {
  await redeem({}, 'secret');
  expect(authorization).toBe(`Basic ${Buffer.from(`${CLIENT_ID}:secret`).toString('base64')}`);
});

const badTokens: [string, string, () => string][] = [
  ['signed with another key', 'invalid_token', () => idToken({}, unknown.privateKey)],
  ['without a signature', 'invalid_token', () => idToken({}, null)],
  ['without an algorithm', 'invalid_token', () => idToken({}, null, 'none')],
  ['without an audience', 'wrong_audience', () => idToken({ aud: undefined })],
  ['without a nonce', 'interrupted', () => idToken({ nonce: undefined })],
  ['that is none', 'invalid_token', () => 'no token'],
];
test.each(badTokens)('an ID token %s', async (_, problem, token) => {
  replies['/token'] = { body: tokens(token()) };
  await expect(redeem()).rejects.toMatchObject({ problem });
});

const badAnswers: [string, string, Reply][] = [
  ['no ID token', 'invalid_token', { body: { access_token: 'at', token_type: 'Bearer' } }],
  ['no JSON', 'unreachable', { body: 'oops' }],
  ['a page', 'unreachable', { type: 'text/html', body: '<p>Moved</p>' }],
  ['500', 'unreachable', { status: 500, body: { error: 'server_error' } }],
  ['a redirect', 'unreachable', { status: 302, headers: { location: '/elsewhere' }, body: '' }],
  ['more than 1 MB', 'unreachable', { body: ' '.repeat(1_000_001) }],
  ['invalid_grant', 'interrupted', { status: 400, body: { error: 'invalid_grant' } }],
  ['invalid_scope', 'unknown', { status: 400, body: { error: 'invalid_scope' } }],
  ['invalid_client', 'client_refused', { status: 400, body: { error: 'invalid_client' } }],
  [
    'a bearer challenge for the client',
    'client_refused',
    { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_client"' }, body: '' },
  ],
  [
    'a challenge for the client',
    'client_refused',
    { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: { error: 'invalid_client' } },
  ],
];
test.each(badAnswers)('a token endpoint that answers %s', async (_, problem, reply) => {
  replies['/token'] = reply;
  await expect(redeem()).rejects.toMatchObject({ problem });
});

test('the provider is not asked about an answer to another sign-in, or of another provider', async () => {
  replies['/token'] = { status: 500, body: {} };
  await expect(redeem({ state: 'another' })).rejects.toMatchObject({ problem: 'interrupted' });
  await expect(redeem({ iss: 'https://another.example' })).rejects.toMatchObject({ problem: 'wrong_issuer' });
});

test('claims of the userinfo endpoint count for the same subject only', async () => {
  const { fetchUserInfo } = await open();
  await expect(fetchUserInfo?.('at', 'anna')).resolves.toMatchObject({ email: 'anna@example.com' });
  await expect(fetchUserInfo?.('at', 'otto')).rejects.toMatchObject({ problem: 'invalid_token' });
  replies['/userinfo'] = {
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    body: '',
  };
  await expect(fetchUserInfo?.('at', 'anna')).rejects.toMatchObject({ problem: 'invalid_token' });
});

test('details for the log name what was compared, and have no token', async () => {
  const token = idToken({ aud: 'another-app' });
  replies['/token'] = { body: tokens(token) };
  const error = await redeem().catch((refused: unknown) => refused as Error);
  const details = String((error as Error).cause);
  expect(details).toContain('"another-app", expected "patchbay"');
  expect(details).not.toContain(token);
});

const badProviders: [string, string, () => Reply, string][] = [
  [
    'reports another issuer',
    'wrong_issuer',
    () => ({ body: discovery({ issuer: 'https://x.example' }) }),
    'x.example',
  ],
  ['has no keys', 'unreachable', () => ({ body: discovery({ jwks_uri: undefined }) }), 'jwks_uri'],
  ['answers 404', 'unreachable', () => ({ status: 404, body: {} }), 'answered 404'],
  [
    'answers a page',
    'unreachable',
    () => ({ type: 'text/html', body: '<p>Hi</p>' }),
    'answered 200 (text/html)',
  ],
  ['answers no JSON', 'unreachable', () => ({ body: 'oops' }), 'JSON'],
];
test.each(badProviders)('a provider that %s', async (_, problem, reply, details) => {
  replies['/.well-known/openid-configuration'] = reply();
  const error = await checkOidcProvider({ issuer, clientId: CLIENT_ID }).catch((refused: unknown) => refused);
  expect(error).toMatchObject({ problem });
  expect(String((error as Error).cause)).toContain(details);
});

test('a slash at the end of the issuer makes no difference', async () => {
  replies['/.well-known/openid-configuration'] = { body: discovery({ issuer: `${issuer}/` }) };
  await expect(checkOidcProvider({ issuer, clientId: CLIENT_ID })).resolves.toMatchObject({
    issuer: `${issuer}/`,
  });
});

test('a provider that does not answer', async () => {
  const nowhere = { issuer: 'http://127.0.0.1:9', clientId: CLIENT_ID };
  const error = await checkOidcProvider(nowhere).catch((refused: unknown) => refused);
  expect(error).toMatchObject({ problem: 'unreachable' });
  expect(String((error as Error).cause)).toMatch(
    /^Error: http:\/\/127\.0\.0\.1:9\/\.well-known\/openid-configuration: fetch failed \([^()]+\)$/,
  );
});

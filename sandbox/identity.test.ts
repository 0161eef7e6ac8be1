import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const REDIRECT_URI = 'http://127.0.0.1:3999/oauth/callback';
const SIGN_IN_URI = 'http://127.0.0.1:3999/api/auth/callback/oidc';
const SCOPE = 'chat_business_management chat_business_messaging';
const SECRET = 'a-secret-of-the-test';

let sandbox: TestSandbox;
let config: client.Configuration;

beforeAll(async () => {
  sandbox = await startTestSandbox({
    client: { id: 'connections', secret: SECRET, redirectUris: [REDIRECT_URI] },
    signInClient: { id: 'sign-in', secret: SECRET, redirectUris: [SIGN_IN_URI] },
  });
  config = await discover('connections');
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control('POST', 'reset'));

const discover = (id: string) =>
  client.discovery(new URL(sandbox.url), id, SECRET, undefined, { execute: [client.allowInsecureRequests] });

async function authorize(
  input: { scope?: string; account?: string; scopes?: string[]; decision?: string } = {},
) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const authorizeUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: input.scope ?? SCOPE,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { account, scopes, decision } = input;
  const answer = await sandbox.control('POST', 'sign-in', {
    authorize_url: authorizeUrl.href,
    account,
    scopes,
    decision,
  });
  return { verifier, state, redirectUrl: new URL(String(answer.redirect_url)) };
}

async function connect(input: Parameters<typeof authorize>[0] = {}) {
  const { verifier, state, redirectUrl } = await authorize(input);
  return client.authorizationCodeGrant(config, redirectUrl, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
}

/** The token endpoint over plain HTTP, form-encoded, with the secret in the body. */
async function postToken(fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'connections', client_secret: SECRET, ...fields });
  const response = await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const businesses = async (token: string) =>
  (await sandbox.graph('GET', 'me/businesses', undefined, token)).body;

describe('authorization code with PKCE and state', () => {
  test('spec, Authentication 3: access token of 30 minutes and a refresh token come back, and the graph API takes it', async () => {
    const tokens = await connect();
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 1800, scope: SCOPE });
    expect(tokens.refresh_token).toBeTruthy();
    expect((await businesses(tokens.access_token)).data).toHaveLength(2);
  });

  test('a code works once; used twice, it also ends the tokens it gave', async () => {
    const { verifier, redirectUrl } = await authorize();
    const fields = {
      grant_type: 'authorization_code',
      code: redirectUrl.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
    };
    const first = await postToken({ ...fields, code_verifier: verifier });
    expect(first.status).toBe(200);
    expect(await postToken({ ...fields, code_verifier: verifier })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await sandbox.graph('GET', 'me', undefined, String(first.body.access_token))).status).toBe(401);
  });

  test.each([
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['a wrong redirect URI', { redirect_uri: `${REDIRECT_URI}/other` }, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
  ])('%s is refused', async (_name, wrong, error) => {
    const { verifier, redirectUrl } = await authorize();
    const answer = await postToken({
      grant_type: 'authorization_code',
      code: redirectUrl.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      ...wrong,
    });
    expect(answer.body).toMatchObject({ error });
  });

  test('without PKCE, or with an unregistered redirect URI, the login does not start', async () => {
    const start = (fields: Record<string, string>) =>
      fetch(
        `${sandbox.url}/oauth/authorize?${new URLSearchParams({ client_id: 'connections', response_type: 'code', scope: SCOPE, ...fields })}`,
        {
          redirect: 'manual',
        },
      );
    const withoutPkce = await start({ redirect_uri: REDIRECT_URI });
    expect(withoutPkce.headers.get('location')).toContain('error=invalid_request');
    const elsewhere = await start({
      redirect_uri: 'http://elsewhere.example/',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    });
    expect(elsewhere.status).toBe(400);
    expect(elsewhere.headers.get('location')).toBeNull();
  });

  test('a login that is cancelled comes back as access_denied with the state', async () => {
    const { redirectUrl, state } = await authorize({ decision: 'cancel' });
    expect(Object.fromEntries(redirectUrl.searchParams)).toMatchObject({ error: 'access_denied', state });
  });

  test('a scope that the user unticks is missing: calls that need it get 200 with HTTP 403', async () => {
    const tokens = await connect({ scopes: ['chat_business_messaging'] });
    expect(tokens.scope).toBe('chat_business_messaging');
    const answer = await sandbox.graph('GET', 'me/businesses', undefined, tokens.access_token);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 200 } } });
  });

  test('the visitor without rights sees no business and may not send', async () => {
    const { access_token: token } = await connect({ account: 'visitor' });
    expect((await businesses(token)).data).toEqual([]);
    const answer = await sandbox.graph('GET', `${IDS.books}/message_templates`, undefined, token);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 10 } } });
  });
});

describe('refreshing', () => {
  test('rotation (default): the new tokens work, the old refresh token is refused with invalid_grant', async () => {
    const before = await connect();
    const after = await client.refreshTokenGrant(config, before.refresh_token ?? '');
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect((await businesses(after.access_token)).data).toHaveLength(2);
    const again = await postToken({ grant_type: 'refresh_token', refresh_token: before.refresh_token ?? '' });
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('without rotation the same refresh token continues working', async () => {
    await sandbox.control('POST', 'settings', { rotate_refresh_tokens: false });
    const { refresh_token: refreshToken = '' } = await connect();
    for (let round = 0; round < 3; round += 1) {
      const next = await client.refreshTokenGrant(config, refreshToken);
      expect(next.refresh_token ?? refreshToken).toBe(refreshToken);
    }
  });

  test('the clock: expired after 30 minutes (190/463), refreshable until 90 days are over', async () => {
    const tokens = await connect();
    await sandbox.control('POST', 'clock', { move_seconds: 29 * 60 });
    expect((await sandbox.graph('GET', 'me', undefined, tokens.access_token)).status).toBe(200);
    await sandbox.control('POST', 'clock', { move_seconds: 2 * 60 });
    const expired = await sandbox.graph('GET', 'me', undefined, tokens.access_token);
    expect(expired).toMatchObject({ status: 401, body: { error: { code: 190, error_subcode: 463 } } });

    await sandbox.control('POST', 'clock', { move_seconds: 89 * 86_400 });
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect((await sandbox.graph('GET', 'me', undefined, renewed.access_token)).status).toBe(200);
    await sandbox.control('POST', 'clock', { move_seconds: 91 * 86_400 });
    const over = await postToken({ grant_type: 'refresh_token', refresh_token: renewed.refresh_token ?? '' });
    expect(over).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('control API: expire gives 190/463, revoke 190 without a subcode', async () => {
    const { access_token: token, refresh_token: refreshToken = '' } = await connect();
    await sandbox.control('POST', 'tokens/expire', { token });
    expect((await sandbox.graph('GET', 'me', undefined, token)).body.error).toMatchObject({
      code: 190,
      error_subcode: 463,
    });
    await sandbox.control('POST', 'tokens/revoke', { token });
    expect((await sandbox.graph('GET', 'me', undefined, token)).body.error).not.toHaveProperty(
      'error_subcode',
    );
    expect((await postToken({ grant_type: 'refresh_token', refresh_token: refreshToken })).status).toBe(200);
  });

  test('faults of the token endpoint: an error once, then a dropped answer', async () => {
    const { refresh_token: refreshToken = '' } = await connect();
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
    await sandbox.control('POST', 'faults', { kind: 'error', target: 'token', http_status: 503 });
    expect((await postToken(fields)).status).toBe(503);
    await sandbox.control('POST', 'faults', { kind: 'drop', target: 'token' });
    await expect(postToken(fields)).rejects.toThrow();
    expect((await postToken(fields)).body).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('signing in to the app with OpenID Connect', () => {
  async function signInToApp() {
    const signIn = await discover('sign-in');
    const verifier = client.randomPKCECodeVerifier();
    const nonce = client.randomNonce();
    const url = client.buildAuthorizationUrl(signIn, {
      redirect_uri: SIGN_IN_URI,
      scope: 'openid profile email',
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const { redirect_url: back } = await sandbox.control('POST', 'sign-in', { authorize_url: url.href });
    const tokens = await client.authorizationCodeGrant(signIn, new URL(String(back)), {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
    });
    return { signIn, tokens };
  }

  test('the second client gets name and email in the id token, without a consent page', async () => {
    const { signIn, tokens } = await signInToApp();
    const claims = { sub: 'admin', name: 'Admin', email: 'admin@sandbox.example', email_verified: true };
    expect(tokens.claims()).toMatchObject(claims);
    expect(await client.fetchUserInfo(signIn, tokens.access_token, 'admin')).toMatchObject(claims);
  });

  test('it may leave out whether an address is verified, and list no groups but a reference to them', async () => {
    await sandbox.control('POST', 'settings', { email_verified: 'unsaid', groups: 'referenced' });
    const { signIn, tokens } = await signInToApp();
    const userinfo = await client.fetchUserInfo(signIn, tokens.access_token, 'admin');
    for (const claims of [tokens.claims(), userinfo]) {
      expect(claims).toMatchObject({
        email: 'admin@sandbox.example',
        _claim_names: { groups: 'src1' },
        _claim_sources: { src1: { endpoint: expect.any(String) as string } },
      });
      expect(claims).not.toHaveProperty('email_verified');
      expect(claims).not.toHaveProperty('groups');
    }
    await sandbox.control('POST', 'settings', { email_verified: 'unverified' });
    expect((await signInToApp()).tokens.claims()).toMatchObject({ email_verified: false });
  });
});

test('minted tokens may live as long as asked, and come with a refresh token', async () => {
  const minted = await sandbox.control('POST', 'tokens', {
    expires_in: 5_184_000,
    scopes: ['chat_business_messaging'],
  });
  await sandbox.control('POST', 'clock', { move_seconds: 59 * 86_400 });
  expect((await sandbox.graph('GET', 'me', undefined, String(minted.access_token))).status).toBe(200);
  const refreshed = await postToken({
    grant_type: 'refresh_token',
    refresh_token: String(minted.refresh_token),
  });
  expect(refreshed).toMatchObject({
    status: 200,
    body: { expires_in: 1800, scope: 'chat_business_messaging' },
  });
});

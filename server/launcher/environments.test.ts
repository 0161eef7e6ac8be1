import { expect, test } from 'vitest';
import { appEnvironment, sandboxEnvironment, type EnvironmentInput } from './environments.ts';

const input: EnvironmentInput = {
  own: { PATH: '/bin', DATABASE_URL: '', AUTH_SECRET: '' },
  port: 3000,
  baseUrl: 'http://localhost:3000',
  databaseUrl: 'postgres://patchbay:secret@127.0.0.1:5555/patchbay',
  secrets: { AUTH_SECRET: 'made-auth', ENCRYPTION_KEYS: 'k1:made', SANDBOX_CLIENT_SECRET: 'made-client' },
  sandbox: { port: 4010, publicUrl: 'http://127.0.0.1:4010' },
  mediaFolder: '/data/media',
  sharePort: false,
  innerPort: null,
  development: false,
};

test('web and worker get complete settings, pointed at the sandbox', () => {
  expect(appEnvironment(input)).toEqual({
    MALLOC_MMAP_THRESHOLD_: '65536',
    NODE_OPTIONS: '--max-semi-space-size=64',
    PATH: '/bin',
    NODE_ENV: 'production',
    PORT: '3000',
    BASE_URL: 'http://localhost:3000',
    DATABASE_URL: 'postgres://patchbay:secret@127.0.0.1:5555/patchbay',
    AUTH_SECRET: 'made-auth',
    ENCRYPTION_KEYS: 'k1:made',
    MEDIA_FOLDER: '/data/media',
    SANDBOX_PUBLIC_URL: 'http://127.0.0.1:4010',
    MESSAGING_GRAPH_URL: 'http://127.0.0.1:4010',
    MESSAGING_AUTHORIZE_URL: 'http://127.0.0.1:4010/oauth/authorize',
    MESSAGING_TOKEN_URL: 'http://127.0.0.1:4010/oauth/token',
    MESSAGING_ISSUER: 'http://127.0.0.1:4010',
    MESSAGING_CLIENT_ID: 'patchbay-sandbox',
    MESSAGING_CLIENT_SECRET: 'made-client',
    AUTH_OIDC_ISSUER: 'http://127.0.0.1:4010',
    AUTH_OIDC_CLIENT_ID: 'patchbay-sign-in',
    AUTH_OIDC_CLIENT_SECRET: 'made-client',
    AUTH_OIDC_NAME: 'the sandbox',
  });
});

test('an identity provider that was given is the one to sign in with', () => {
  const own = { AUTH_OIDC_ISSUER: 'https://login.example', AUTH_OIDC_CLIENT_ID: 'given' };
  expect(appEnvironment({ ...input, own })).toMatchObject(own);
});

test('secrets that were given win over the made ones, and without a sandbox messaging is left alone', () => {
  const environment = appEnvironment({
    ...input,
    own: {
      AUTH_SECRET: 'given-auth',
      ENCRYPTION_KEYS: 'k2:given',
      MESSAGING_CLIENT_ID: 'given',
      SANDBOX_PUBLIC_URL: 'http://given',
    },
    sandbox: null,
  });
  expect(environment).toMatchObject({
    AUTH_SECRET: 'given-auth',
    ENCRYPTION_KEYS: 'k2:given',
    MESSAGING_CLIENT_ID: 'given',
  });
  expect(environment).not.toHaveProperty('MESSAGING_GRAPH_URL');
  expect(environment['SANDBOX_PUBLIC_URL']).toBeUndefined();
});

test('several web processes share the port', () => {
  expect(appEnvironment({ ...input, sharePort: true })).toMatchObject({ REUSE_PORT: 'on', PORT: '3000' });
});

test('the sandbox stands alone: it sees neither the database nor the keys of Patchbay', () => {
  const own = { PATH: '/bin', DATABASE_URL: 'postgres://x', AUTH_SECRET: 'a', ENCRYPTION_KEYS: 'k1:b' };
  const environment = sandboxEnvironment({ ...input, own }, '/data/sandbox');
  expect(environment).toEqual({
    SANDBOX_STATE_DIR: '/data/sandbox',
    PATH: '/bin',
    NODE_ENV: 'production',
    SANDBOX_PORT: '4010',
    SANDBOX_PUBLIC_URL: 'http://127.0.0.1:4010',
    SANDBOX_REDIRECT_URIS: 'http://localhost:3000/oauth/callback',
    SANDBOX_CLIENT_ID: 'patchbay-sandbox',
    SANDBOX_CLIENT_SECRET: 'made-client',
    SANDBOX_SIGN_IN_REDIRECT_URIS: 'http://localhost:3000/api/auth/callback/oidc',
    SANDBOX_SIGN_IN_CLIENT_ID: 'patchbay-sign-in',
    SANDBOX_SIGN_IN_CLIENT_SECRET: 'made-client',
  });
});

import { expect, test } from 'vitest';
import { signInSetupOf } from './check-platform.ts';

const settings = {
  MESSAGING_GRAPH_URL: 'https://graph.example.com',
  SANDBOX_PUBLIC_URL: undefined,
  MESSAGING_AUTHORIZE_URL: 'https://www.example.com/dialog/oauth',
  MESSAGING_TOKEN_URL: 'https://graph.example.com/oauth/access_token',
  MESSAGING_CLIENT_ID: '900000000000001',
  MESSAGING_LOGIN_CONFIG_ID: '800000000000001',
};

test('people can sign in where everything is set', () => {
  expect(signInSetupOf(settings)).toBe('ready');
});

test('without the ID of the login configuration the platform may refuse them; the sandbox needs none', () => {
  const without = { ...settings, MESSAGING_LOGIN_CONFIG_ID: undefined };
  expect(signInSetupOf(without)).toBe('without_configuration');
  expect(signInSetupOf({ ...without, SANDBOX_PUBLIC_URL: settings.MESSAGING_GRAPH_URL })).toBe('ready');
});

test.each(['MESSAGING_AUTHORIZE_URL', 'MESSAGING_TOKEN_URL', 'MESSAGING_CLIENT_ID'])(
  'without %s only tokens can be used',
  (name) => {
    expect(signInSetupOf({ ...settings, [name]: undefined })).toBe('missing');
  },
);

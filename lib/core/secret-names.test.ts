import { expect, test } from 'vitest';
import { isSecretName, looksRandom } from '#lib/core/secret-names.ts';

test.each([
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'X-API-Key',
  'apiKey',
  'apikey',
  'key',
  'Ocp-Apim-Subscription-Key',
  'access_token',
  'accessToken',
  'token',
  'client_secret',
  'clientSecret',
  'password',
  'user[password]',
  'user[pass]',
  'oauth',
  'userPwd',
  'passphrase',
  'pass',
  'auth',
  'x-auth',
  'signature',
  'sig',
  'X-Hub-Signature-256',
  'session_id',
  'credentials',
  'otp',
  'jwt',
  'secretAccessKey',
  'public_key_secret',
  '{{task_1.HEADERS.x-webhook-secret}}',
])('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  'Content-Type',
  'Accept',
  'X-Request-Id',
  'Idempotency-Key',
  'idempotencyKey',
  'keyword',
  'keywords',
  'sort_key',
  'primaryKey',
  'access_key_id',
  'max_tokens',
  'maxTokens',
  'max_completion_tokens',
  'prompt_tokens',
  'token_type',
  'page_token',
  'nextPageToken',
  'author',
  'auth_type',
  'passenger',
  'pinned',
  'compass',
  'order_id',
  '{{task_1_status}}',
])('%s does not', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.each([
  '9f86d081884c7d659a2feaa0c55ad015',
  'a3f5B9c2D7e1F4g8H6j0K2m5',
  'c2VjcmV0LXZhbHVlLWZvci1hLXRlc3Q=',
  'pk_7Hd93kLmQ2xWv8Rt5ZbN1cYs',
  '7d1a4f0e-9c2b5e8f3a6d1b4c7e0f',
])('%s looks like a key', (value) => expect(looksRandom(value)).toBe(true));

test.each([
  'application/vnd.github.v3+json',
  'application/json',
  'a-long-value-of-words-only-for-tests',
  'AVeryLongCamelCaseNameOfSomething',
  '550e8400-e29b-41d4-a716-446655440000',
  '2026-11-22T20:15:30.123Z',
  'Mozilla/5.0 (X11; Linux x86_64)',
  'https://api.example.com/orders/12345678901234567890',
  '12345678901234567890123456789012',
  'short1A2b3C',
  'en-US,en;q=0.9,de;q=0.8',
  'order-2026-11-22-000123456789',
])('%s is no key', (value) => expect(looksRandom(value)).toBe(false));

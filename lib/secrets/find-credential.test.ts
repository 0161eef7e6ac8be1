import { expect, test } from 'vitest';
import { findCredential, listCredentialsIn } from './find-credential.ts';

const KEY = '9f86d081884c7d659a2feaa0c55ad015';

test.each([
  ['Authorization', `Bearer ${KEY}`, { before: 'Bearer ', text: KEY, isStored: false, isGuess: false }],
  ['Authorization', 'Basic dXNlcjpwYXNz', { before: 'Basic ', text: 'dXNlcjpwYXNz', isGuess: false }],
  ['X-Api-Key', ' abcdef ', { before: ' ', text: 'abcdef', after: ' ', isGuess: false }],
  ['X-Api-Key', '••••••(abcdefghijklmnop)', { text: '••••••(abcdefghijklmnop)', isStored: true }],
  ['Cookie', 'session=1; a=b', { text: 'session=1; a=b', isGuess: false }],
  ['X-Custom', KEY, { before: '', text: KEY, after: '', isStored: false, isGuess: true }],
  ['X-Custom', 'Bearer abcdefgh', { before: 'Bearer ', text: 'abcdefgh', isGuess: false }],
])('%s: %s', (name, value, found) => expect(findCredential(value, name)).toMatchObject(found));

test.each([
  ['Accept', 'application/json'],
  ['X-Api-Key', ''],
  ['X-Api-Key', '{{secret.key}}'],
  ['Authorization', 'Bearer {{secret.key}}'],
  ['Authorization', 'Bearer {{task_1_token}}-abc'],
  ['X-Api-Key', '••••••'],
  ['X-Custom', '{{task_1_id}}'],
])('none in %s: %s', (name, value) => expect(findCredential(value, name)).toBeUndefined());

test.each<[string, [string | undefined, string][]]>([
  [
    '{"api_key": "abcdef", "user": {"password": "ghijkl"}, "id": "7"}',
    [
      ['api_key', 'abcdef'],
      ['password', 'ghijkl'],
    ],
  ],
  ['client_secret=abcdef&scope=all', [['client_secret', 'abcdef']]],
  ['<login><password>abcdef</password></login>', [['password', 'abcdef']]],
  ['The key is sk_live_12345678', [[undefined, 'sk_live_12345678']]],
  // Rendered as a variable they would be escaped once more, or become texts.
  [String.raw`{"password": "ab\"cdef"}`, []],
  ['password=abc%20def', []],
  ['{"pin": 123456}', []],
  ['{"api_key": "{{task_1_key}}", "password": "••••••"}', []],
])('in %s', (text, found) => {
  const credentials = listCredentialsIn(text);
  expect(credentials.map(({ name, text: value }) => [name, value])).toEqual(found);
  for (const { before, text: value, after } of credentials) expect(before + value + after).toBe(text);
});

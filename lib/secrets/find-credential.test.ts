import { expect, test } from 'vitest';
import { findCredential } from './find-credential.ts';

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

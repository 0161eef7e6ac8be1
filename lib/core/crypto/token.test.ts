import { expect, test } from 'vitest';
import { hashToken, isSameSecret, newToken } from './token.ts';

test('a token has 32 characters that need no escaping in a URL, and is new each time', () => {
  expect(newToken()).toMatch(/^[\w-]{32}$/);
  expect(newToken()).not.toBe(newToken());
});

test('the hash is SHA-256, of text as of its bytes', () => {
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(hashToken('abc').toString('hex')).toBe(hash);
  expect(hashToken(Buffer.from('abc')).toString('hex')).toBe(hash);
});

test.each([
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['', 'abc', false],
])('%s and %s', (given, expected, isSame) => {
  expect(isSameSecret(given, expected)).toBe(isSame);
  expect(isSameSecret(Buffer.from(given), expected)).toBe(isSame);
});

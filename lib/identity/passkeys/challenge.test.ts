import { randomBytes } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { makeChallenge, openChallenge } from './challenge.ts';

const secrets = createSecretBox(`k1:${randomBytes(32).toString('base64')}`);

afterEach(() => vi.useRealTimers());

test('a challenge is opened for what it was made for, by any process with the keys', () => {
  const { challenge, sealed } = makeChallenge(secrets, 'add in one', 'Laptop');
  expect(Buffer.from(challenge, 'base64url')).toHaveLength(32);
  expect(openChallenge(secrets, 'add in one', sealed)).toMatchObject({ challenge, name: 'Laptop' });
  for (const purpose of ['sign-in', 'add in another'] as const)
    expect(() => openChallenge(secrets, purpose, sealed)).toThrow('Try again');
});

test.each(['', 'v1.k1.a.b', 'nonsense'])('nobody makes one up: %j', (sealed) => {
  expect(() => openChallenge(secrets, 'sign-in', sealed)).toThrow('Try again');
});

test('it fits into a cookie, and its text is not in it', () => {
  const { challenge, sealed } = makeChallenge(secrets, 'sign-in');
  expect(sealed).toMatch(/^[\w.-]+$/);
  expect(sealed).not.toContain(challenge);
});

test('it expires after five minutes', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { sealed } = makeChallenge(secrets, 'sign-in');
  vi.setSystemTime(Date.now() + 299_000);
  expect(openChallenge(secrets, 'sign-in', sealed)).toBeDefined();
  vi.setSystemTime(Date.now() + 1_000);
  expect(() => openChallenge(secrets, 'sign-in', sealed)).toThrow('took too long');
});

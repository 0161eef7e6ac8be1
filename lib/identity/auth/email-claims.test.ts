import { expect, test } from 'vitest';
import { joinClaims, readEmailVerified } from './oidc/oidc-provider.ts';

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  [1, false],
  ['yes', false],
  [null, null],
  [undefined, null],
])('email_verified %o', (said, verified) => {
  expect(readEmailVerified({ email_verified: said })).toBe(verified);
});

test('an address that nobody speaks of is neither verified nor unverified', () => {
  expect(readEmailVerified({ email: 'a@b.example' })).toBeNull();
});

const email = 'a@b.example';

test.each([
  ['both lack it', { email }, { email }, null],
  ['the userinfo endpoint has it', { email }, { email: 'A@b.example', email_verified: true }, true],
  ['the ID token has it', { email, email_verified: true }, { email }, true],
  ['one of them denies it', { email, email_verified: true }, { email, email_verified: false }, false],
  ['the address is told in one place only', { email_verified: true }, { email }, true],
  ['another address is verified', { email }, { email: 'other@b.example', email_verified: true }, null],
  [
    'another address is not verified',
    { email, email_verified: true },
    { email: 'x@b.example', email_verified: false },
    true,
  ],
])('%s', (_, idToken, userinfo, verified) => {
  const joined = joinClaims(idToken, userinfo);
  expect(joined['email']).toBe(email);
  expect(readEmailVerified(joined)).toBe(verified);
});

test('claims of both places are there, the ID token’s first', () => {
  expect(joinClaims({ sub: '1', groups: ['a'] }, { sub: '1', groups: ['b'], name: 'Anna' })).toEqual({
    sub: '1',
    groups: ['a'],
    name: 'Anna',
  });
});

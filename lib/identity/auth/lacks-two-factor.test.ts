import { expect, test } from 'vitest';
import { lacksTwoFactor } from './session.ts';

const [before, required, after] = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, day))) as [
  Date,
  Date,
  Date,
];

test.each([
  ['required, signed in with a password since', 'password', after, false, required, true],
  ['required, but signed in before', 'password', before, false, required, false],
  ['not required', 'password', after, false, null, false],
  ['required, and there is one', 'two_factor', after, true, required, false],
  ['required, and switched off since', 'two_factor', after, false, required, true],
  ['required, and set up in this session', 'password', after, true, required, false],
  ['required, but signed in with the identity provider', 'provider', after, false, required, false],
  ['required, signed in by a process of an earlier version', null, after, false, required, true],
] as const)('%s', (_, signedInBy, signedInAt, hasTwoFactor, twoFactorRequiredAt, lacks) => {
  expect(lacksTwoFactor({ signedInBy, signedInAt, hasTwoFactor }, { twoFactorRequiredAt })).toBe(lacks);
});

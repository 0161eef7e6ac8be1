import { expect, test } from 'vitest';
import type { SignedInBy } from '#lib/identity/auth/user-sessions.ts';
import { neededProof } from './needed-proof.ts';

const MINUTE_MS = 60_000;

test.each<[SignedInBy | null, number, boolean, string]>([
  ['password', 1, false, 'none'],
  ['password', 11, false, 'password'],
  // In the browser in which the second factor was set up.
  ['password', 1, true, 'password_and_code'],
  ['two_factor', 1, true, 'password_and_code'],
  ['passkey', 1, true, 'none'],
  ['passkey', 1, false, 'none'],
  ['passkey', 11, true, 'password_and_code'],
  ['passkey', 11, false, 'password'],
  ['provider', 1, false, 'password'],
  [null, 1, false, 'password'],
])(
  'signed in by %s %d minutes ago, second factor %s: asked for %s',
  (signedInBy, minutes, hasTwoFactor, needed) => {
    const signedInAt = new Date(Date.now() - minutes * MINUTE_MS);
    expect(neededProof({ signedInBy, signedInAt, hasTwoFactor })).toBe(needed);
  },
);

import { expect, test } from 'vitest';
import { AppError } from '#lib/core/errors.ts';
import { SIGN_IN_EXPIRED } from '#lib/identity/auth/provider-names.ts';
import { toRefusal } from '#lib/identity/auth/sign-in-problem.ts';
import { readSignInError } from './sign-in.ts';

const UNAVAILABLE = 'Signing in is not possible right now. Try again in a moment.';

test.each([
  ['CredentialsSignin', 'The email address or the password is wrong.'],
  [SIGN_IN_EXPIRED, 'This sign-in took too long. Enter your password again.'],
  [toRefusal(new AppError('rate_limited', 'Wait for 2 seconds.')).message, 'Wait for 2 seconds.'],
  [toRefusal(new Error('connect ECONNREFUSED 192.0.2.1')).message, UNAVAILABLE],
  ['Some Error Of Next', UNAVAILABLE],
  [undefined, UNAVAILABLE],
])('%s', (error, text) => {
  expect(readSignInError(error)).toBe(text);
});

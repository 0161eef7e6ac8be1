import type { signIn as nextAuthSignIn } from 'next-auth/react';
import { REFUSAL, SIGN_IN_EXPIRED } from '#lib/identity/auth/provider-names.ts';

/** `signIn` of next-auth, loaded on use. */
export const signIn = async (...args: Parameters<typeof nextAuthSignIn>) =>
  (await import('next-auth/react')).signIn(...args);

/** next-auth's error as text; it has one code for all refusals. */
export function readSignInError(error: string | null | undefined): string {
  if (error === 'CredentialsSignin') return 'The email address or the password is wrong.';
  if (error === SIGN_IN_EXPIRED) return 'This sign-in took too long. Enter your password again.';
  if (error?.startsWith(REFUSAL)) return error.slice(REFUSAL.length);
  return 'Signing in is not possible right now. Try again in a moment.';
}

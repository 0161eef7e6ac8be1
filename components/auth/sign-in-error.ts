import { SIGN_IN_EXPIRED } from '#lib/identity/auth/second-step-names.ts';

/** next-auth's error as text; it has one code for all refusals. */
export function readSignInError(error: string | null | undefined): string {
  if (error === 'CredentialsSignin') return 'The email address or the password is wrong.';
  if (error === SIGN_IN_EXPIRED) return 'This sign-in took too long. Enter your password again.';
  if (error?.includes(' ')) return error;
  return 'Signing in is not possible right now. Try again in a moment.';
}

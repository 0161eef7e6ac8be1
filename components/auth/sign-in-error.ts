/** What next-auth answered, in words; its own code for "no" is the same whatever was wrong. */
export function readSignInError(error: string | null | undefined): string {
  if (error === 'CredentialsSignin') return 'The e-mail address or the password is wrong.';
  if (error?.includes(' ')) return error;
  return 'Signing in is not possible at the moment: try again shortly.';
}

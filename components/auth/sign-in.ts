import type { signIn as nextAuthSignIn } from 'next-auth/react';

/** `signIn` of next-auth; its code is fetched when somebody signs in, not with the form. */
export const signIn = async (...args: Parameters<typeof nextAuthSignIn>) =>
  (await import('next-auth/react')).signIn(...args);

import type { signIn as nextAuthSignIn } from 'next-auth/react';

/** `signIn` of next-auth, loaded on use. */
export const signIn = async (...args: Parameters<typeof nextAuthSignIn>) =>
  (await import('next-auth/react')).signIn(...args);

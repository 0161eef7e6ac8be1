import type { Binding } from '#lib/core/crypto/secret-box.ts';

export interface Account {
  id: string;
  email: string;
}

/** Whoever is signed in, and in which browser. */
export interface AccountSession extends Account {
  sessionId: string;
}

/** Under what wrong codes of an account are counted: not with its wrong passwords, which the right one forgives. */
export const codeOf = ({ email }: Account): string => `code of ${email}`;

/** What an app's key is sealed for. */
export const totpBinding = (userId: string): Binding => ['installation', 'two_factor', userId];

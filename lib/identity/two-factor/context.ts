import type { Binding } from '#lib/core/crypto/secret-box.ts';

export interface Account {
  id: string;
  email: string;
}

/** A signed-in user and their session. */
export interface AccountSession extends Account {
  sessionId: string;
}

/** Key for counting wrong codes of an account: separate from its wrong passwords, which the right one clears. */
export const codeOf = ({ email }: Account): string => `code of ${email}`;

/** Binding of an app's sealed key. */
export const totpBinding = (userId: string): Binding => ['installation', 'two_factor', userId];

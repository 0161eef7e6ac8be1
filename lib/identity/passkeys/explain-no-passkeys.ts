import type { Database } from '#lib/core/db/client.ts';
import { mayUsePassword } from '#lib/identity/sign-in-policy/may-use-password.ts';
import { findRelyingParty } from './relying-party.ts';

export interface PasskeyUser {
  user: { id: string; hasPassword: boolean };
  /** Of the identity provider; null: there is none. */
  providerName: string | null;
  baseUrl: string;
}

/** Why an account cannot add passkeys; null: it can. */
export async function explainNoPasskeys(
  db: Database,
  { user, providerName, baseUrl }: PasskeyUser,
): Promise<string | null> {
  if (!(await mayUsePassword(db, user.id)))
    return `This installation requires you to sign in with ${providerName ?? 'the identity provider'}, so passkeys are not used.`;
  if (!user.hasPassword)
    return 'You don’t sign in with a password. Set one first: it is the way back when you lose your passkeys.';
  if (!findRelyingParty(baseUrl))
    return `Passkeys need HTTPS and a host name, and this installation is at ${baseUrl}. Ask your administrator to change BASE_URL.`;
  return null;
}

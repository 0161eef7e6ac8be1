import type { Database } from '#lib/core/db/client.ts';
import { signInPolicy } from '#lib/identity/schema/sign-in.ts';

/** The installation's sign-in policy (docs/decisions/identity-provider.md). */
export interface SignInPolicy {
  /** Passwords are for break-glass owners only. */
  requiresIdentity: boolean;
  /** Contact for users without access; empty: none. */
  accessContact: string;
  /** The identity provider whose email addresses are trusted without verification; null: none. */
  trustedIssuer: string | null;
}

/** The policy; by default, passwords are allowed. */
export async function getSignInPolicy(db: Pick<Database, 'select'>): Promise<SignInPolicy> {
  const [row] = await db
    .select({
      requiresIdentity: signInPolicy.requiresIdentity,
      accessContact: signInPolicy.accessContact,
      trustedIssuer: signInPolicy.trustedIssuer,
    })
    .from(signInPolicy);
  return row ?? { requiresIdentity: false, accessContact: '', trustedIssuer: null };
}

/**
 * Compares issuers, because another provider may be set up since.
 * @param issuer of the current one; undefined: none is set up
 */
export const trustsEmailsOf = ({ trustedIssuer }: SignInPolicy, issuer: string | undefined): boolean =>
  issuer !== undefined && trustedIssuer === issuer;

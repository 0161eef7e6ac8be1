import type { Database } from '#lib/core/db/client.ts';
import { signInPolicy } from '#lib/identity/schema/sign-in.ts';

/** How people may sign in to this installation (docs/decisions/identity-provider.md). */
export interface SignInPolicy {
  /** Passwords are for break-glass owners only. */
  requiresIdentity: boolean;
  /** Whom those are told to ask who may not enter; empty: nobody in particular. */
  accessContact: string;
  /** The identity provider whose email addresses are trusted without its word; null: none. */
  trustedIssuer: string | null;
}

/** The policy; as long as nothing was changed, passwords are for everybody. */
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

/** What was trusted may be another provider than the one that is set up now. @param issuer its; undefined: none is set up */
export const trustsEmailsOf = ({ trustedIssuer }: SignInPolicy, issuer: string | undefined): boolean =>
  issuer !== undefined && trustedIssuer === issuer;

import { isJustSignedIn } from '#lib/identity/auth/user-sessions.ts';
import type { SessionUser } from '#lib/identity/auth/user-sessions.ts';
import type { AccountContext, Transaction } from '#lib/identity/context.ts';
import type { AccountSession } from '#lib/identity/two-factor/context.ts';
import { hasTwoFactor } from '#lib/identity/two-factor/find-two-factor.ts';
import { assertPassword, withProof } from '#lib/identity/two-factor/prove.ts';

/** What the user has to enter before the passkeys of their account change. */
export type NeededProof = 'none' | 'password' | 'password_and_code';

export interface Proof {
  password: string;
  /** Of the app, or a recovery code. */
  code: string;
}

/** Nothing right after a sign-in with all factors; a passkey is as strong as password and code. */
export function neededProof(
  user: Pick<SessionUser, 'hasTwoFactor' | 'signedInBy' | 'signedInAt'>,
): NeededProof {
  if (isJustSignedIn(user) && (user.signedInBy === 'passkey' || !user.hasTwoFactor)) return 'none';
  return user.hasTwoFactor ? 'password_and_code' : 'password';
}

export type ProvingSession = AccountSession & Pick<SessionUser, 'signedInBy' | 'signedInAt'>;

/**
 * Verifies the needed proof, and runs `work`, all or nothing.
 * @throws AppError of `assertPassword` and `withProof`
 */
export async function withNeededProof<Result>(
  ctx: AccountContext,
  session: ProvingSession,
  proof: Proof,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const needed = neededProof({ ...session, hasTwoFactor: await hasTwoFactor(ctx.db, session.id) });
  if (needed === 'password_and_code') return withProof(ctx, session, proof, work);
  if (needed === 'password') await assertPassword(ctx, session, proof.password);
  return ctx.db.transaction(work);
}

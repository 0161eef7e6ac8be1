// Sign-in with a second factor: the right password creates a challenge, which is not a session; the code exchanges it for
// one.
import { lt } from 'drizzle-orm';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import { CHALLENGE_SECONDS } from '#lib/identity/auth/second-step-names.ts';
import { signInChallenges } from '#lib/identity/schema/two-factor.ts';
import { hasTwoFactor } from './has-two-factor.ts';

/**
 * Called after the right password.
 * @returns the token of a challenge, for the browser's cookie; null: this account needs no second step
 */
export async function startSecondStep(db: Database, userId: string): Promise<string | null> {
  if (!(await hasTwoFactor(db, userId))) return null;
  const token = newToken();
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, new Date()));
  await db.insert(signInChallenges).values({
    tokenHash: hashToken(token),
    userId,
    expiresAt: new Date(Date.now() + CHALLENGE_SECONDS * 1000),
  });
  return token;
}

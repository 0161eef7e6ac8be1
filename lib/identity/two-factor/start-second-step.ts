// Signing in with a second factor: the right password gives a challenge, which is no session; the code ends it with one.
import { createHash, randomBytes } from 'node:crypto';
import { lt } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { CHALLENGE_SECONDS } from '#lib/identity/auth/second-step-names.ts';
import { signInChallenges } from '#lib/identity/schema/two-factor.ts';
import { hasTwoFactor } from './has-two-factor.ts';

/** What is kept of a challenge's token: it is random, so a plain hash will do. */
export const hashChallenge = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * After the right password.
 * @returns the token of a challenge, for the browser's cookie; null: this account needs no second step
 */
export async function startSecondStep(db: Database, userId: string): Promise<string | null> {
  if (!(await hasTwoFactor(db, userId))) return null;
  const token = randomBytes(24).toString('base64url');
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, new Date()));
  await db.insert(signInChallenges).values({
    tokenHash: hashChallenge(token),
    userId,
    expiresAt: new Date(Date.now() + CHALLENGE_SECONDS * 1000),
  });
  return token;
}

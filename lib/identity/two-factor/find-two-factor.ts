import { and, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { twoFactor } from '#lib/identity/schema/sign-in.ts';
import { countRecoveryCodes } from './recovery-codes.ts';

export interface TwoFactorState {
  /** ISO 8601. */
  since: string;
  recoveryCodesLeft: number;
}

/** The second factor of an account; null: it has none. */
export async function findTwoFactor(db: Database, userId: string): Promise<TwoFactorState | null> {
  const [found] = await db
    .select({ confirmedAt: twoFactor.confirmedAt })
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isNotNull(twoFactor.confirmedAt)));
  if (!found?.confirmedAt) return null;
  return {
    since: found.confirmedAt.toISOString(),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
  };
}

/** Whether an account needs a code besides its password. */
export async function hasTwoFactor(db: Database, userId: string): Promise<boolean> {
  const found = await db
    .select({ userId: twoFactor.userId })
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isNotNull(twoFactor.confirmedAt)));
  return found.length > 0;
}

import { and, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { twoFactor } from '#lib/identity/schema/two-factor.ts';

/** Whether an account needs a code besides its password. */
export async function hasTwoFactor(db: Database, userId: string): Promise<boolean> {
  const found = await db
    .select({ userId: twoFactor.userId })
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isNotNull(twoFactor.confirmedAt)));
  return found.length > 0;
}

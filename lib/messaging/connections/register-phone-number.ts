import { eq, sql } from 'drizzle-orm';
import { registerPhone } from '#lib/messaging/platform/register-phone.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { callForScreen } from './call-for-screen.ts';
import type { MessagingActorContext } from './context.ts';
import { recordUse } from './record-use.ts';
import { explainRegistration } from './registration-problems.ts';

/**
 * Registers a number of a connection with its PIN, so that it can send. The PIN is sent to the platform and stored nowhere.
 * @throws AppError `invalid_request` for a wrong PIN, `rate_limited` after too many tries, `conflict` where the number is not ready
 *   for it; `not_found`, `upstream_failed`
 */
export async function registerPhoneNumber(
  ctx: MessagingActorContext,
  { id, phoneNumberId, pin }: { id: string; phoneNumberId: string; pin: string },
): Promise<void> {
  const doing = 'The number could not be registered';
  try {
    await callForScreen(ctx, id, doing, (access) => registerPhone(access, phoneNumberId, pin));
  } catch (error) {
    throw explainRegistration(error);
  }
  await ctx.db.transaction(async (tx) => {
    await recordUse(ctx, tx, id, 'connection.number_registered');
    // The last check found it unregistered.
    await tx
      .update(connections)
      .set({ checkDueAt: sql`now()` })
      .where(eq(connections.id, id));
  });
}

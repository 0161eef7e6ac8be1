import { eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { registerPhone } from '#lib/messaging/platform/register-phone.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { callForScreen } from './call-for-screen.ts';
import { recordUse } from './connection-rows.ts';
import type { MessagingActorContext } from './context.ts';

/**
 * Registers a number of a connection with its PIN, so that it can send. The PIN is sent to the platform and not stored.
 * @throws AppError `invalid_request` for a wrong PIN, `rate_limited` after too many attempts, `conflict` where the number is
 * not ready for it; `not_found`, `upstream_failed`
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

// Messages for refused registrations, by the platform's error codes ("Registration").

/** According to the platform's reference: ten requests in 72 hours, then none for 72 hours. */
const BLOCKED_SECONDS = 72 * 3600;
const A_FEW_MINUTES_SECONDS = 5 * 60;

/** Problems that the user fixes in the field. */
const PIN_PROBLEMS: ReadonlyMap<number, readonly [message: string, advice: string]> = new Map([
  [
    133005,
    [
      'This is not the PIN of the number.',
      'Enter the PIN of its two-step verification. If nobody knows it, set another one in the platform’s settings of the number. Ten tries in 72 hours are allowed.',
    ],
  ],
]);

/** Problems that are fixed on the platform's own pages. */
const NUMBER_PROBLEMS: ReadonlyMap<number, string> = new Map([
  [
    133000,
    'The number was not deregistered completely. Deregister it at the platform, then register it again.',
  ],
  [
    133006,
    'The platform has not verified that the number is yours. Verify it at the platform by a call or a text message, then register it.',
  ],
]);

/** Problems that only need time. */
const WAITS: ReadonlyMap<number, readonly [message: string, seconds: number]> = new Map([
  [
    133016,
    [
      'There were too many tries to register this number: the platform allows ten in 72 hours.',
      BLOCKED_SECONDS,
    ],
  ],
  [133008, ['There were too many wrong PINs for this number.', BLOCKED_SECONDS]],
  [133009, ['PINs were tried too fast.', A_FEW_MINUTES_SECONDS]],
  [133015, ['The number was deleted a moment ago and cannot be registered yet.', A_FEW_MINUTES_SECONDS]],
]);

/** The error for callers of the API and for screens; any other error unchanged. @param now when the platform refused */
export function explainRegistration(error: unknown, now = new Date()): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  if (!(cause instanceof PlatformError)) return error;
  const { code = 0, retryAfterSeconds } = cause.facts;
  const ofPin = PIN_PROBLEMS.get(code);
  if (ofPin) {
    const problems = [{ path: 'pin', message: ofPin[1] }];
    return new AppError('invalid_request', ofPin[0], { cause, problems });
  }
  const ofNumber = NUMBER_PROBLEMS.get(code);
  if (ofNumber !== undefined) return new AppError('conflict', ofNumber, { cause });
  const wait = WAITS.get(code);
  if (!wait) return error;
  const seconds = retryAfterSeconds ?? wait[1];
  const until = new Date(now.getTime() + seconds * 1000).toISOString();
  return new AppError('rate_limited', `${wait[0]} Try again after ${until}.`, {
    cause,
    retryAfterSeconds: seconds,
  });
}

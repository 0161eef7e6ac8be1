import type { alertDeliveries } from '../schema.ts';
import type { Attempt } from './delivery-types.ts';

/** Delays between attempts in seconds: a day in all. */
const WAITS_SECONDS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800];

/** The columns of a delivery after an attempt. */
export function toColumns(attempt: Attempt, attempts: number): Partial<typeof alertDeliveries.$inferInsert> {
  if (attempt.isDelivered) return { sentAt: new Date(), problem: null, eventId: attempt.eventId ?? null };
  const waitSeconds = attempt.isFinal ? null : (WAITS_SECONDS[attempts - 1] ?? null);
  const { problem } = attempt;
  return waitSeconds === null
    ? { failedAt: new Date(), problem }
    : { dueAt: new Date(Date.now() + waitSeconds * 1000), problem };
}

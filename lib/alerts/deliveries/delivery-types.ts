import type { DestinationConfig } from '#lib/alerts/alert-types.ts';
import type { alertDeliveries } from '#lib/alerts/schema.ts';
import type { JobResult } from '#lib/core/queue/job-consumer.ts';
import { ALERTS, type JobKind } from '#lib/core/queue/job-table.ts';

/** For webhooks and workflows; its payload is `{ delivery_id }`. */
export const DELIVER_ALERT: JobKind = { task: 'deliver_alert', lane: ALERTS };

/** A delivery that waits, and is attempted now. */
export interface DueDelivery {
  id: string;
  workspaceId: string;
  destinationId: string;
  config: DestinationConfig;
  secretEncrypted: string | null;
  payload: string;
}

/** Outcome of an attempt. */
export type Attempt =
  | { isDelivered: true; eventId?: string }
  | {
      isDelivered: false;
      problem: string;
      /** A retry would have the same outcome. */
      isFinal: boolean;
    };

/** With the delays of their lane, a day passes before the last one. */
const MAX_ATTEMPTS = 16;

/** The columns of a delivery after an attempt. @param attempts how many there were, with this one */
export function toColumns(attempt: Attempt, attempts: number): Partial<typeof alertDeliveries.$inferInsert> {
  if (attempt.isDelivered)
    return { attempts, sentAt: new Date(), problem: null, eventId: attempt.eventId ?? null };
  const { problem, isFinal } = attempt;
  return { attempts, problem, ...(isFinal || attempts >= MAX_ATTEMPTS ? { failedAt: new Date() } : {}) };
}

/** Whether its job is done after an attempt. */
export const toResult = ({
  sentAt,
  failedAt,
  problem,
}: Partial<typeof alertDeliveries.$inferInsert>): JobResult =>
  sentAt || failedAt ? undefined : { failedBecause: problem ?? '' };

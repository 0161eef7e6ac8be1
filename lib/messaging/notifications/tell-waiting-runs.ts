import type { Queryable } from '#lib/messaging/customers/queryable.ts';
import type { Incoming } from './incoming.ts';

/** A run that waited for what came in and continues with it. */
export interface TakenBy {
  runId: string;
  workflowId: string;
}

/**
 * Gives messages and statuses to the runs that wait for them. Called once for each notification, in the transaction that
 * stores it, with what was not received before; windows, statuses and customers are stored by then. A message that a run
 * takes is not forwarded to the same workflow, which it would start again.
 * @param incoming in the order in which it stood in the notification
 * @returns who took what, in the same order; an empty list where nobody waits for it
 */
export function tellWaitingRuns(_client: Queryable, incoming: readonly Incoming[]): Promise<TakenBy[][]> {
  return Promise.resolve(incoming.map(() => []));
}

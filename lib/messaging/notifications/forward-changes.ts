// Forwards changes to the workflows that subscribe to them, through the same intake as any webhook. A change without a workflow
// is stored as a separate event.
import type { Queryable } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { keepNotifications, type KeptNotification, NOTIFICATION_HEADERS } from './keep-notifications.ts';
import type { Change, ChangeOwner, Owned } from './notification-types.ts';
import { ECHO_REASONS, REASONS, STATUS_REASONS } from './outcome-reasons.ts';
import { listSubscribersOf, type Subscriber, wantsChange } from './subscribers.ts';
import type { TakenBy } from './notify-waiting-runs.ts';

export interface FlatChange<Kind extends Change = Change> extends Owned<Kind> {
  /** It, as workflows receive it. */
  fields: JsonObject;
}

/** A recorded change, and the runs that used it. */
export interface RecordedChange extends FlatChange {
  takenBy: readonly TakenBy[];
}

/** A message that a run used is only for that run; a status also goes to other workflows. */
const isForRunsOnly = (
  change: Change,
  takenBy: readonly TakenBy[],
  { workflow_id: id }: Subscriber,
): boolean =>
  change.kind === 'message' ? takenBy.length > 0 : takenBy.some(({ workflowId }) => workflowId === id);

/**
 * Makes one event of each change for each workflow that wants it, and one without a workflow of each that none gets.
 * A message that a run took as its answer starts no workflow: the customer is answered by one voice.
 * @param client of the transaction in which the changes are marked as received: either both are committed or none.
 * @returns how many workflows each change was forwarded to; those that none got were only kept.
 */
export async function forwardChanges(
  client: Queryable,
  recorded: readonly RecordedChange[],
  receivedAt: Date,
): Promise<Map<Change, number>> {
  if (recorded.length === 0) return new Map();
  const subscribers = await listSubscribersOf(client, [
    ...new Set(recorded.map(({ owner }) => owner.connectionId)),
  ]);
  const intake = createIntake(client);
  const forward = async (
    body: Buffer,
    { connectionId }: ChangeOwner,
    { token_hash: tokenHash }: Subscriber,
  ): Promise<boolean> => {
    const [eventId, runId] = [newId(), newId()];
    const about = { kind: 'notification' as const, receivedAt, headers: NOTIFICATION_HEADERS, refusal: null };
    return (await intake({ eventId, runId, tokenHash, body, connectionId, ...about })) !== undefined;
  };
  const forwarded = await Promise.all(
    recorded.map(async ({ owner, change, fields, takenBy }) => {
      const body = Buffer.from(stringifyJson(fields));
      const wanting = (subscribers.get(owner.connectionId) ?? []).filter(
        (row) => wantsChange(row, fields) && !isForRunsOnly(change, takenBy, row),
      );
      const isStored = await Promise.all(wanting.map((row) => forward(body, owner, row)));
      return { owner, change, takenBy, body, count: isStored.filter(Boolean).length };
    }),
  );
  const kept = forwarded
    .filter(({ count }) => count === 0)
    .map(({ owner, change, takenBy, body }) => ({ owner, ...describeOutcome(change, takenBy), body }));
  await keepNotifications(client, kept, receivedAt);
  return new Map(forwarded.map(({ change, count }) => [change, count]));
}

/** The outcome of a change without a workflow, and the reason. */
function describeOutcome(
  change: Change,
  takenBy: readonly TakenBy[],
): Pick<KeptNotification, 'outcome' | 'reason' | 'runId'> {
  const [first] = takenBy;
  if (first) return { outcome: 'recorded', reason: REASONS.awaited, runId: first.runId };
  switch (change.kind) {
    case 'message':
      return { outcome: 'not_forwarded', reason: REASONS.message };
    case 'status':
      return { outcome: 'recorded', reason: STATUS_REASONS[change.status] };
    case 'template':
      return { outcome: 'not_forwarded', reason: REASONS.template };
    case 'preference':
      return {
        outcome: 'recorded',
        reason: `${REASONS.preference} ${change.category || 'messages'}: ${change.preference || 'unknown'}.`,
      };
    case 'echo':
      return { outcome: 'recorded', reason: ECHO_REASONS[change.field] };
    case 'other':
      return { outcome: change.isKnown ? 'recorded' : 'ignored', reason: change.reason };
  }
}

// Forwards changes to the workflows that subscribe to them, through the same intake as any webhook. A change that no
// workflow gets is kept as its own event.
import type { Queryable } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { keepNotifications, type KeptNotification, NOTIFICATION_HEADERS } from './keep-notifications.ts';
import type { Change } from './notification-types.ts';
import { ECHO_REASONS, REASONS, STATUS_REASONS } from './outcome-reasons.ts';
import type { ChangeOwner } from './record-change.ts';
import { listSubscribers, type Subscriber, wantsChange } from './subscribers.ts';
import type { TakenBy } from './notify-waiting-runs.ts';

const NAME_CONNECTION = 'update events set connection_id = $1 where id = any($2::uuid[])';

export interface FlatChange<Kind extends Change = Change> {
  change: Kind;
  /** It, as workflows receive it. */
  fields: JsonObject;
}

/** A change that was recorded, and the runs that took it. */
export interface RecordedChange extends FlatChange {
  takenBy: readonly TakenBy[];
}

/** A message that a run took is for it alone; a status is news for other workflows, too. */
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
 * @returns how many events were forwarded and how many changes were only kept.
 */
export async function forwardChanges(
  client: Queryable,
  owner: ChangeOwner,
  recorded: readonly RecordedChange[],
  receivedAt: Date,
): Promise<{ forwarded: number; kept: number }> {
  if (recorded.length === 0) return { forwarded: 0, kept: 0 };
  const { connectionId } = owner;
  const rows = await listSubscribers(client, connectionId);
  const intake = createIntake(client);
  const forward = async (body: Buffer, { token_hash: tokenHash }: Subscriber): Promise<string[]> => {
    const [eventId, runId] = [newId(), newId()];
    const about = { kind: 'notification' as const, receivedAt, headers: NOTIFICATION_HEADERS, refusal: null };
    return (await intake({ eventId, runId, tokenHash, body, ...about })) ? [eventId] : [];
  };
  const forwarded = await Promise.all(
    recorded.map(async ({ change, fields, takenBy }) => {
      const body = Buffer.from(stringifyJson(fields));
      const wanting = rows.filter((row) => wantsChange(row, fields) && !isForRunsOnly(change, takenBy, row));
      const eventIds = await Promise.all(wanting.map((row) => forward(body, row)));
      return { change, takenBy, body, eventIds: eventIds.flat() };
    }),
  );
  const eventIds = forwarded.flatMap((each) => each.eventIds);
  if (eventIds.length > 0) await client.query(NAME_CONNECTION, [connectionId, eventIds]);
  const kept = forwarded
    .filter((each) => each.eventIds.length === 0)
    .map(({ change, takenBy, body }) => ({ ...describeOutcome(change, takenBy), body }));
  await keepNotifications(client, owner, kept, receivedAt);
  return { forwarded: eventIds.length, kept: kept.length };
}

/** The outcome of a change that no workflow got, and why. */
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

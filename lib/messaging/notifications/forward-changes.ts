// Forwards changes to the workflows that subscribe to them, through the same intake as any webhook. A change that no
// workflow gets is kept as an event of its own.
import type { Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { flattenChange } from './flatten-change.ts';
import { keepNotifications, NOTIFICATION_HEADERS } from './keep-notifications.ts';
import type { Change } from './notification-types.ts';
import type { ChangeOwner, Queryable } from './record-change.ts';

interface SubscriptionRow {
  token_hash: Buffer;
  kinds: string[];
  phone_number_id: string | null;
}

const SUBSCRIPTIONS = `
select k.token_hash, s.kinds, s.phone_number_id
from connection_subscriptions s
join workflows w on w.id = s.workflow_id and w.deleted_at is null
join webhook_tokens k on k.workflow_id = w.id and k.expires_at is null
where s.connection_id = $1`;

const NAME_CONNECTION = 'update events set connection_id = $1 where id = any($2::uuid[])';

const KINDS = { message: 'messages', status: 'statuses', template: 'templates' } as const;

/**
 * Makes one event of each change for each workflow that wants it, and one without a workflow of each that none gets;
 * a status is in the record of its message already.
 * @param client of the transaction in which the changes are marked as received: either both are committed or none.
 * @returns how many events were forwarded and how many changes were only kept.
 */
export async function forwardChanges(
  client: Queryable,
  owner: ChangeOwner,
  changes: readonly Change[],
  receivedAt: Date,
): Promise<{ forwarded: number; kept: number }> {
  if (changes.length === 0) return { forwarded: 0, kept: 0 };
  const { connectionId } = owner;
  const { rows } = await client.query<SubscriptionRow>(SUBSCRIPTIONS, [connectionId]);
  // The intake asks of its pool only that it runs a statement; here every statement belongs to the transaction.
  const intake = createIntake(client as unknown as Pool);
  const forward = async (change: Change, { token_hash: tokenHash }: SubscriptionRow): Promise<string[]> => {
    const [eventId, runId] = [newId(), newId()];
    const body = Buffer.from(stringifyJson(flattenChange(change, connectionId)));
    const about = { kind: 'notification' as const, receivedAt, headers: NOTIFICATION_HEADERS, refusal: null };
    return (await intake({ eventId, runId, tokenHash, body, ...about })) ? [eventId] : [];
  };
  const forwarded = await Promise.all(
    changes.map(async (change) => {
      const wanting = rows.filter((row) => isWanted(row, change));
      const eventIds = await Promise.all(wanting.map((row) => forward(change, row)));
      return { change, eventIds: eventIds.flat() };
    }),
  );
  const eventIds = forwarded.flatMap((each) => each.eventIds);
  if (eventIds.length > 0) await client.query(NAME_CONNECTION, [connectionId, eventIds]);
  const kept = forwarded
    .filter(({ change, eventIds: ids }) => ids.length === 0 && change.kind !== 'status')
    .map(({ change }) => ({
      outcome: 'not_forwarded' as const,
      reason: reasonOf(change),
      body: Buffer.from(stringifyJson(flattenChange(change, connectionId))),
    }));
  await keepNotifications(client, owner, kept, receivedAt);
  return { forwarded: eventIds.length, kept: kept.length };
}

function isWanted({ kinds, phone_number_id: phoneNumberId }: SubscriptionRow, change: Change): boolean {
  if (change.kind === 'other' || !kinds.includes(KINDS[change.kind])) return false;
  return phoneNumberId === null || change.kind === 'template' || change.phoneNumberId === phoneNumberId;
}

function reasonOf(change: Change): string {
  if (change.kind === 'other') return change.reason;
  if (change.kind === 'template') return 'No workflow is subscribed to template reviews of this connection.';
  return 'No workflow is subscribed to incoming messages of this number.';
}

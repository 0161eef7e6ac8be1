// Hands changes on to the workflows that subscribe to them, through the same intake as any webhook.
import type { Pool } from '#lib/db/client.ts';
import { newId } from '#lib/ids.ts';
import { stringifyJson } from '#lib/json/stringify-json.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { friendlyChange } from './friendly-change.ts';
import type { Change } from './parse-notification.ts';
import type { Queryable } from './record-change.ts';

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

const KINDS = { message: 'messages', status: 'statuses', template: 'templates' } as const;

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'patchbay-messaging' };

/**
 * Makes one event of each change for each workflow that wants it.
 * @param client of the transaction in which the changes are marked as taken in: either both are committed or none.
 * @returns how many events.
 */
export async function handOn(
  client: Queryable,
  connectionId: string,
  changes: readonly Change[],
  receivedAt: Date,
): Promise<number> {
  if (changes.length === 0) return 0;
  const { rows } = await client.query<SubscriptionRow>(SUBSCRIPTIONS, [connectionId]);
  // The intake asks of its pool only that it runs a statement; here every statement belongs to the transaction.
  const intake = createIntake(client as unknown as Pool);
  const arrivals = rows.flatMap((row) =>
    changes
      .filter((change) => isWanted(row, change))
      .map((change) => ({
        eventId: newId(),
        runId: newId(),
        tokenHash: row.token_hash,
        kind: 'production' as const,
        receivedAt,
        headers: HEADERS,
        body: Buffer.from(stringifyJson(friendlyChange(change, connectionId))),
        refusal: null,
      })),
  );
  await Promise.all(arrivals.map(intake));
  return arrivals.length;
}

function isWanted({ kinds, phone_number_id: phoneNumberId }: SubscriptionRow, change: Change): boolean {
  if (!kinds.includes(KINDS[change.kind])) return false;
  return phoneNumberId === null || change.kind === 'template' || change.phoneNumberId === phoneNumberId;
}

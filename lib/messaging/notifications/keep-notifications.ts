import type { EventOutcome } from '#lib/engine/event-types.ts';
import { newId } from '#lib/core/ids.ts';
import type { ChangeOwner, Queryable } from './record-change.ts';

export const NOTIFICATION_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'patchbay-messaging',
};

export interface KeptNotification {
  outcome: Extract<EventOutcome, 'not_forwarded' | 'rejected'>;
  /** Why no workflow got it, in words. */
  reason: string;
  body: Buffer;
}

const KEEP = `
insert into events (id, workspace_id, connection_id, kind, outcome, reason, received_at, headers, body)
select kept.id, $1, $2, 'notification', kept.outcome, kept.reason, $3, $4::json, kept.body
from unnest($5::uuid[], $6::text[], $7::text[], $8::bytea[]) as kept(id, outcome, reason, body)`;

/** Writes what no workflow got as events without a workflow. */
export async function keepNotifications(
  client: Queryable,
  { workspaceId, connectionId }: ChangeOwner,
  kept: readonly KeptNotification[],
  receivedAt: Date,
): Promise<void> {
  if (kept.length === 0) return;
  await client.query(KEEP, [
    workspaceId,
    connectionId,
    receivedAt,
    JSON.stringify(NOTIFICATION_HEADERS),
    kept.map(() => newId()),
    kept.map(({ outcome }) => outcome),
    kept.map(({ reason }) => reason),
    kept.map(({ body }) => body),
  ]);
}

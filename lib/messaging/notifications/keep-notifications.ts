import type { Queryable } from '#lib/core/db/client.ts';
import type { EventOutcome } from '#lib/engine/event-types.ts';
import { newId } from '#lib/core/ids.ts';
import type { ChangeOwner } from './record-change.ts';

export const NOTIFICATION_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'patchbay-messaging',
};

export interface KeptNotification {
  outcome: Extract<EventOutcome, 'not_forwarded' | 'recorded' | 'ignored' | 'rejected'>;
  /** Why no workflow got it, in words. */
  reason: string;
  /** The run that took it as its answer. */
  runId?: string | undefined;
  body: Buffer;
}

const KEEP = `
insert into events (id, workspace_id, connection_id, kind, outcome, reason, received_at, headers, body, run_id)
select kept.id, $1, $2, 'notification', kept.outcome, kept.reason, $3, $4::json, kept.body, kept.run_id
from unnest($5::uuid[], $6::text[], $7::text[], $8::bytea[], $9::uuid[]) as kept(id, outcome, reason, body, run_id)`;

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
    kept.map(({ runId }) => runId ?? null),
  ]);
}

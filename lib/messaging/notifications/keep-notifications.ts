import type { Queryable } from '#lib/core/db/client.ts';
import { Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import type { EventOutcome } from '#lib/engine/event-types.ts';
import { newId } from '#lib/core/ids.ts';
import type { ChangeOwner } from './notification-types.ts';

export const NOTIFICATION_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'patchbay-messaging',
};

export interface KeptNotification {
  owner: ChangeOwner;
  outcome: Extract<EventOutcome, 'not_forwarded' | 'recorded' | 'ignored' | 'rejected'>;
  /** Why no workflow received it. */
  reason: string;
  /** The run that used it as its answer. */
  runId?: string | undefined;
  body: Buffer;
}

const TYPES = {
  id: 'uuid',
  workspace_id: 'uuid',
  connection_id: 'uuid',
  outcome: 'text',
  reason: 'text',
  body: 'bytea',
  run_id: 'uuid',
} as const;

const KEEP = `
insert into events (id, workspace_id, connection_id, kind, outcome, reason, received_at, headers, body, run_id)
select id, workspace_id, connection_id, 'notification', outcome, reason, $1, $2::json, body, run_id
from ${unnest(TYPES, 3)} as kept(${namesOf(TYPES)})`;

/** Below the maximum size of a statement's parameter. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Stores notifications without a workflow as events. @returns their ids, in the same order */
export async function keepNotifications(
  client: Queryable,
  kept: readonly KeptNotification[],
  receivedAt: Date,
): Promise<string[]> {
  let bytes = 0;
  const named = kept.map((each) => ({ ...each, id: newId() }));
  const parts = Map.groupBy(named, ({ body }) => Math.floor((bytes += body.byteLength) / MAX_BYTES));
  for (const part of parts.values()) {
    const columns = new Columns(TYPES);
    for (const { id, owner, outcome, reason, body, runId } of part)
      columns.add([id, owner.workspaceId, owner.connectionId, outcome, reason, body, runId]);
    const values = [receivedAt, JSON.stringify(NOTIFICATION_HEADERS), ...columns.parameters];
    await client.query({ name: 'keep_notifications', text: KEEP, values });
  }
  return named.map(({ id }) => id);
}

// What notifications change in the tables of messages, each statement on the client of one transaction.
import { MESSAGE_STATUSES, type StatusStep } from '#lib/messaging/schema/message-status-types.ts';
import type { MessageChange, StatusChange } from './notification-types.ts';

/** The part of a database client that one transaction needs. */
export interface Queryable {
  query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

export interface ChangeOwner {
  workspaceId: string;
  connectionId: string;
}

/** Rows are reached in the order of their keys, so that two copies of one notification wait and never deadlock. */
const CLAIM = `
insert into received_changes (connection_id, change_key)
select $1, key from unnest($2::text[]) as asked(key) order by key
on conflict do nothing returning change_key`;

/** Marks changes as taken in. @returns the keys of those that were not before. */
export async function claimChanges(
  client: Queryable,
  connectionId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const unique = [...new Set(keys)].sort();
  const { rows } = await client.query<{ change_key: string }>(CLAIM, [connectionId, unique]);
  return new Set(rows.map((row) => row.change_key));
}

const OPEN_WINDOW = `
insert into conversation_windows as known (workspace_id, phone_number_id, customer, last_message_at, last_message_id)
values ($1, $2, $3, $4, $5)
on conflict (workspace_id, phone_number_id, customer) do update
  set last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
  where known.last_message_at < excluded.last_message_at`;

/**
 * Spec, Endpoints, rule 1: the window lasts 24 hours from the customer's last message. It is found by each name that a
 * recipient can have: number, user id, or in a group the group's id.
 */
export async function openWindow(
  client: Queryable,
  { workspaceId }: ChangeOwner,
  { raw, phoneNumberId, from, fromUserId, groupId, at, messageId }: MessageChange,
): Promise<void> {
  // Told by the platform about the customer, not written by them.
  if (raw['type'] === 'system') return;
  const names = groupId === null ? [from, fromUserId ?? from] : [groupId];
  for (const customer of [...new Set(names)].sort())
    await client.query(OPEN_WINDOW, [workspaceId, phoneNumberId, customer, at, messageId]);
}

const RANK = (column: string): string =>
  `array_position(array[${MESSAGE_STATUSES.map((status) => `'${status}'`).join()}], ${column})`;

const RECORD_STATUS = `
insert into sent_messages as known
  (workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, errors, timeline)
values ($1, $2, $3, $4, $5, $6, $7, $8::json, $9::json)
on conflict (workspace_id, message_id) do update set
  timeline = (known.timeline::jsonb || excluded.timeline::jsonb)::json,
  status = case when ${RANK('excluded.status')} > ${RANK('known.status')} then excluded.status else known.status end,
  status_at = case when ${RANK('excluded.status')} > ${RANK('known.status')} then excluded.status_at else known.status_at end,
  errors = coalesce(excluded.errors, known.errors)`;

/** Statuses come in any order and never go back; one that is behind only joins the timeline. */
export async function recordStatus(
  client: Queryable,
  owner: ChangeOwner,
  change: StatusChange,
): Promise<void> {
  const { messageId, phoneNumberId, recipient, status, at, errors } = change;
  const step: StatusStep = { status, at: at.toISOString(), ...(errors.length > 0 ? { errors } : {}) };
  await client.query(RECORD_STATUS, [
    owner.workspaceId,
    messageId,
    owner.connectionId,
    phoneNumberId,
    recipient,
    status,
    at,
    errors.length > 0 ? JSON.stringify(errors) : null,
    JSON.stringify([step]),
  ]);
}

// What notifications change in the tables of messages, each statement on the client of one transaction.
import type { Queryable } from '#lib/core/db/client.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { UNCOUNT_MESSAGE } from '#lib/messaging/limits/count-customers.ts';
import { labelOfCode } from '#lib/messaging/platform/error-table.ts';
import { isPhoneNumber, isUserId } from '#lib/messaging/platform/ids.ts';
import { type Customer, learnCustomer, type ReportedNames } from '#lib/messaging/customers/customer-names.ts';
import { moveCustomer } from '#lib/messaging/customers/move-customer.ts';
import { MESSAGE_STATUSES, type StatusStep } from '#lib/messaging/schema/message-statuses.ts';
import type { EchoChange, MessageChange, StatusChange } from './notification-types.ts';
import { readId, readObject } from './read-field.ts';

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

const SENT_TO = 'select recipient from sent_messages where workspace_id = $1 and message_id = $2';

/**
 * Stores who wrote, and that their window is open (spec, Endpoints, rule 1: 24 hours from the customer's last message);
 * of a message in a group the window is the group's.
 * @returns the customer; null: somebody in a group
 */
export async function recordMessage(
  client: Queryable,
  { workspaceId }: ChangeOwner,
  change: MessageChange,
): Promise<Customer | null> {
  const { raw, phoneNumberId, from, groupId, at, messageId } = change;
  const reported = await namesOfSender(client, workspaceId, change);
  if (isSystem(change)) {
    const { wa_id: number, user_id: userId } = readObject(raw['system']);
    return moveCustomer(client, workspaceId, reported, { number: readId(number), userId: readId(userId) });
  }
  const customer = await learnCustomer(client, workspaceId, reported);
  await client.query(OPEN_WINDOW, [workspaceId, phoneNumberId, groupId ?? from, at, messageId]);
  return groupId === null ? customer : null;
}

/** Whether the platform reports something about the customer: they did not write it. */
export const isSystem = (change: MessageChange): boolean => change.raw['type'] === 'system';

/** A reply contains one name of the customer; the message it replies to was sent to that name, or to the other one. */
async function namesOfSender(
  client: Queryable,
  workspaceId: string,
  { raw, number, fromUserId, groupId, businessAccountId }: MessageChange,
): Promise<ReportedNames> {
  const reported = { number, userId: fromUserId ?? '', businessAccountId };
  const repliesTo = readId(readObject(raw['context'])['id']);
  if (groupId !== null || repliesTo === '' || (reported.number !== '' && reported.userId !== ''))
    return reported;
  const { rows } = await client.query<{ recipient: string }>(SENT_TO, [workspaceId, repliesTo]);
  const recipient = rows[0]?.recipient ?? '';
  if (reported.number === '' && isPhoneNumber(recipient)) return { ...reported, number: recipient };
  if (reported.userId === '' && isUserId(recipient)) return { ...reported, userId: recipient };
  return reported;
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
  recipient = coalesce(nullif(known.recipient, ''), excluded.recipient),
  errors = coalesce(excluded.errors, known.errors)
returning recipient, run_id, task_id, iteration`;

interface SentRow {
  recipient: string;
  run_id: string | null;
  task_id: number | null;
  iteration: string | null;
}

function tellOfStatus({ status, errors }: StatusChange, sent: SentRow | undefined): void {
  const { run_id: id, task_id: taskId, iteration } = sent ?? {};
  const run = id && typeof taskId === 'number' ? { id, taskId, iteration: iteration ?? '' } : undefined;
  const error = status === 'failed' ? labelOfCode(errors[0]?.code) : 'none';
  telemetry.messageStatus.tell({ status, error, run });
}

/**
 * Statuses arrive in any order and never go back; a late one is only added to the timeline. Those of a message that was sent
 * to a number also contain the user id.
 * @returns the customer; null: the platform does not identify them
 */
export async function recordStatus(
  client: Queryable,
  owner: ChangeOwner,
  change: StatusChange,
): Promise<Customer | null> {
  const { messageId, phoneNumberId, recipient, status, at, errors, number, userId, businessAccountId } =
    change;
  const step: StatusStep = {
    status,
    at: at.toISOString(),
    ...(errors.length > 0 ? { errors } : {}),
    ...(change.pricing === null ? {} : { pricing: change.pricing }),
  };
  const { rows } = await client.query<SentRow>(RECORD_STATUS, [
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
  if (status === 'failed') await client.query(UNCOUNT_MESSAGE, [owner.workspaceId, messageId]);
  tellOfStatus(change, rows[0]);
  const sentTo = rows[0]?.recipient ?? '';
  const reported = {
    number: number || (isPhoneNumber(sentTo) ? sentTo : ''),
    userId: userId || (isUserId(sentTo) ? sentTo : ''),
    businessAccountId,
  };
  if (change.isOfGroup || (reported.number === '' && reported.userId === '')) return null;
  return learnCustomer(client, owner.workspaceId, reported);
}

const RECORD_ECHO = `
insert into sent_messages
  (workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, timeline)
values ($1, $2, $3, $4, $5, 'sent', $6, $7::json)
on conflict do nothing`;

/**
 * What the business wrote outside of the API is a message of its number to the customer: replies to it are matched by it. It
 * opens no window.
 */
export async function recordEcho(
  client: Queryable,
  { workspaceId, connectionId }: ChangeOwner,
  { messageId, phoneNumberId, recipient, number, userId, businessAccountId, at }: EchoChange,
): Promise<Customer> {
  const timeline: StatusStep[] = [{ status: 'sent', at: at.toISOString() }];
  await client.query(RECORD_ECHO, [
    workspaceId,
    messageId,
    connectionId,
    phoneNumberId,
    recipient,
    at,
    JSON.stringify(timeline),
  ]);
  return learnCustomer(client, workspaceId, { number, userId, businessAccountId });
}

// What notifications change in the tables of messages, for all changes of a batch at once, each statement on the client of one
// transaction. All transactions reach the tables in this order, and rows in the order of their keys, so that they wait for each
// other and do not deadlock.
import type { Queryable } from '#lib/core/db/client.ts';
import { markOfMessage } from '#lib/messaging/customers/erased-names.ts';
import { isPhoneNumber, isUserId } from '#lib/messaging/platform/ids.ts';
import type { Customer, ReportedNames } from '#lib/messaging/customers/customer-names.ts';
import { learnCustomers } from '#lib/messaging/customers/learn-customers.ts';
import { moveCustomer } from '#lib/messaging/customers/move-customer.ts';
import type {
  ChangeOwner,
  ConversationChange,
  EchoChange,
  MessageChange,
  Owned,
  StatusChange,
} from './notification-types.ts';
import { readId, readObject } from './read-field.ts';
import { firstMessageFrom, recordEchoes, recordStatuses } from './record-statuses.ts';

const CLAIM = `
insert into received_changes (connection_id, change_key)
select connection_id, key from unnest($1::uuid[], $2::text[], $3::text[]) as asked(connection_id, key, mark)
where not exists (
  select from received_changes e where e.connection_id = asked.connection_id and e.change_key = asked.mark
)
order by connection_id, key
on conflict do nothing returning connection_id, change_key`;

/** Of a change of a connection. */
export const claimKey = (connectionId: string, key: string): string => `${connectionId} ${key}`;

/** A message whose data was erased is known by this mark; a change of no message has none. */
export const markOf = (key: string): string | null => {
  const messageId = /^(?:message|status|echo):(wamid\.[^:]+)/.exec(key)?.[1];
  return messageId === undefined ? null : markOfMessage(messageId);
};

/** Marks changes as received. @returns the `claimKey`s of those that were not before, and are of no erased message. */
export async function claimChanges(
  client: Queryable,
  changes: readonly { connectionId: string; key: string }[],
): Promise<Set<string>> {
  const unique = [...new Map(changes.map((each) => [claimKey(each.connectionId, each.key), each])).values()];
  const { rows } = await client.query<{ connection_id: string; change_key: string }>({
    name: 'claim_changes',
    text: CLAIM,
    values: [
      unique.map(({ connectionId }) => connectionId),
      unique.map(({ key }) => key),
      unique.map(({ key }) => markOf(key)),
    ],
  });
  return new Set(rows.map((row) => claimKey(row.connection_id, row.change_key)));
}

export interface StoredChanges {
  /** The customer of each change; null: a sender in a group, or one whom the platform does not identify. */
  customers: ReadonlyMap<ConversationChange, Customer | null>;
  /** Statuses of which nothing is left to store: their message, which a run sent, has their status, time, errors and price. */
  withMessage: ReadonlySet<ConversationChange>;
}

/** Stores what changes say of customers, windows and sent messages. */
export async function recordChanges(
  client: Queryable,
  changes: readonly Owned<ConversationChange>[],
): Promise<StoredChanges> {
  const sorted = changes.toSorted(byRow);
  const messages = sorted.filter(isMessage);
  const statuses = sorted.filter(isStatus);
  await recordEchoes(client, sorted.filter(isEcho));
  const messageOf = await recordStatuses(client, statuses);
  const repliedTo = await findRepliedTo(client, messages);
  const reports = sorted
    .filter(({ change }) => !isSystem(change))
    .flatMap(({ owner: { workspaceId }, change }) => {
      const sentTo = change.kind === 'status' ? messageOf.get(change)?.recipient : repliedTo.get(change);
      const names = namesIn(change, sentTo ?? '');
      return names ? [{ change, workspaceId, names }] : [];
    });
  const learned = await learnCustomers(client, reports);
  await openWindows(
    client,
    messages.filter(({ change }) => !isSystem(change)),
  );
  const customers = new Map<ConversationChange, Customer | null>(
    reports.map(({ change }, index) => [change, isInGroup(change) ? null : (learned[index] ?? null)]),
  );
  for (const { owner, change } of messages)
    if (isSystem(change))
      customers.set(change, await followSystem(client, owner, change, repliedTo.get(change)));
  // Of a group's statuses the message does not say whose they are.
  const withMessage = statuses.filter(({ change }) => !change.isOfGroup && messageOf.get(change)?.isOfRun);
  return { customers, withMessage: new Set(withMessage.map(({ change }) => change)) };
}

const isMessage = (each: Owned<ConversationChange>): each is Owned<MessageChange> =>
  each.change.kind === 'message';
const isStatus = (each: Owned<ConversationChange>): each is Owned<StatusChange> =>
  each.change.kind === 'status';
const isEcho = (each: Owned<ConversationChange>): each is Owned<EchoChange> => each.change.kind === 'echo';

const byRow = (a: Owned<ConversationChange>, b: Owned<ConversationChange>): number =>
  rowOf(a.change) < rowOf(b.change) ? -1 : 1;
const rowOf = (change: ConversationChange): string =>
  `${change.kind === 'message' ? change.from : change.recipient} ${change.key}`;

/** Whether the platform reports something about the customer: they did not write it. */
export const isSystem = (change: ConversationChange): boolean =>
  change.kind === 'message' && change.raw['type'] === 'system';

const isInGroup = (change: ConversationChange): boolean =>
  change.kind === 'message' && change.groupId !== null;

/** Stores that a customer has another number or user id now. */
function followSystem(
  client: Queryable,
  { workspaceId }: ChangeOwner,
  change: MessageChange,
  repliedTo = '',
): Promise<Customer> {
  const { wa_id: number, user_id: userId } = readObject(change.raw['system']);
  const now = { number: readId(number), userId: readId(userId) };
  return moveCustomer(client, workspaceId, namesOfSender(change, repliedTo), now);
}

/**
 * The names of the customer that a change contains, and the one that is known from a message of ours.
 * @param sentTo whom the message was sent to that a status is of, or that a message replies to; empty: unknown
 * @returns undefined where the platform does not identify the customer
 */
function namesIn(change: ConversationChange, sentTo: string): ReportedNames | undefined {
  const { businessAccountId } = change;
  if (change.kind === 'message') return namesOfSender(change, sentTo);
  const { number, userId } = change;
  if (change.kind === 'echo') return { number, userId, businessAccountId };
  const reported = {
    number: number || (isPhoneNumber(sentTo) ? sentTo : ''),
    userId: userId || (isUserId(sentTo) ? sentTo : ''),
    businessAccountId,
  };
  const isUnknown = change.isOfGroup || (reported.number === '' && reported.userId === '');
  return isUnknown ? undefined : reported;
}

/** A reply contains one name of the customer; the message it replies to was sent to that name, or to the other one. */
function namesOfSender(
  { number, fromUserId, businessAccountId }: MessageChange,
  sentTo: string,
): ReportedNames {
  const reported = { number, userId: fromUserId ?? '', businessAccountId };
  if (reported.number === '' && isPhoneNumber(sentTo)) return { ...reported, number: sentTo };
  if (reported.userId === '' && isUserId(sentTo)) return { ...reported, userId: sentTo };
  return reported;
}

const SENT_TO = `
select s.workspace_id, s.message_id, s.recipient from unnest($1::uuid[], $2::text[]) as asked(workspace_id, message_id)
cross join lateral (${firstMessageFrom('asked')}) s where s.message_id = asked.message_id`;

/** Whom the messages were sent to that customers reply to, where only one of their names is known. */
async function findRepliedTo(
  client: Queryable,
  messages: readonly Owned<MessageChange>[],
): Promise<Map<ConversationChange, string>> {
  const asked = messages.flatMap(({ owner: { workspaceId }, change }) => {
    const { raw, number, fromUserId, groupId } = change;
    const messageId = readId(readObject(raw['context'])['id']);
    const isOpen = groupId === null && messageId !== '' && (number === '' || !fromUserId);
    return isOpen ? [{ change, workspaceId, messageId }] : [];
  });
  if (asked.length === 0) return new Map();
  const { rows } = await client.query<{ workspace_id: string; message_id: string; recipient: string }>({
    name: 'find_replied_to',
    text: SENT_TO,
    values: [asked.map(({ workspaceId }) => workspaceId), asked.map(({ messageId }) => messageId)],
  });
  const found = new Map(rows.map((row) => [`${row.workspace_id} ${row.message_id}`, row.recipient]));
  return new Map(
    asked.map(({ change, workspaceId, messageId }) => [
      change,
      found.get(`${workspaceId} ${messageId}`) ?? '',
    ]),
  );
}

const OPEN_WINDOWS = `
insert into conversation_windows as known (workspace_id, phone_number_id, customer, last_message_at, last_message_id)
select workspace_id, phone_number_id, customer, last_message_at, last_message_id
from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
  as opened(workspace_id, phone_number_id, customer, last_message_at, last_message_id)
order by workspace_id, phone_number_id, customer
on conflict (workspace_id, phone_number_id, customer) do update
  set last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
  where known.last_message_at < excluded.last_message_at`;

/**
 * Stores that the windows of those who wrote are open (spec, Endpoints, rule 1: 24 hours from the customer's last message); of
 * messages in a group the window is the group's.
 */
async function openWindows(client: Queryable, messages: readonly Owned<MessageChange>[]): Promise<void> {
  const windows = new Map<string, Owned<MessageChange> & { customer: string }>();
  for (const { owner, change } of messages) {
    const customer = change.groupId ?? change.from;
    const key = JSON.stringify([owner.workspaceId, change.phoneNumberId, customer]);
    const latest = windows.get(key)?.change.at;
    if (!latest || latest < change.at) windows.set(key, { owner, change, customer });
  }
  if (windows.size === 0) return;
  const rows = [...windows.values()];
  await client.query({
    name: 'open_windows',
    text: OPEN_WINDOWS,
    values: [
      rows.map(({ owner }) => owner.workspaceId),
      rows.map(({ change }) => change.phoneNumberId),
      rows.map(({ customer }) => customer),
      rows.map(({ change }) => change.at),
      rows.map(({ change }) => change.messageId),
    ],
  });
}

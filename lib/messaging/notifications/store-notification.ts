import { createHash } from 'node:crypto';
import { inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { Customer } from '#lib/messaging/customers/customer-names.ts';
import { NOTICED_FIELDS, type NoticedField } from '#lib/messaging/schema/notice-types.ts';
import { noteStatusTroubles } from '#lib/messaging/troubles/note-trouble.ts';
import { type FlatChange, forwardChanges, type RecordedChange } from './forward-changes.ts';
import { flattenChange } from './flatten-change.ts';
import { type Incoming, toIncomingMessage, toIncomingStatus } from './incoming.ts';
import { keepNotifications } from './keep-notifications.ts';
import type { Change, EchoChange, MessageChange, StatusChange } from './notification-types.ts';
import { parseNotification } from './parse-notification.ts';
import {
  type ChangeOwner,
  claimChanges,
  isSystem,
  recordEcho,
  recordMessage,
  recordStatus,
} from './record-change.ts';
import { notifyWaitingRuns } from './notify-waiting-runs.ts';

/** How much of a body that cannot be read is kept with its event, as of a webhook's. */
const KEPT_BYTES_OF_INVALID = 64 * 1024;

export interface StoredCount {
  /** Changes that were not received before. */
  changes: number;
  /** Events of workflows. */
  forwarded: number;
  /** Events without a workflow. */
  kept: number;
}

const NOTE_ARRIVAL = `
update connections set last_notification_at = now()
where id = $1 and (last_notification_at is null or last_notification_at < now() - interval '1 minute')`;

/** The platform said that a template, a number or an account is another one now: what is known of it is old. */
const CHECK_SOON = 'update connections set check_due_at = null where id = $1';

/** Fields of conversations, which say nothing of templates, numbers and accounts, whatever they hold. */
const CONVERSATION_FIELDS: readonly string[] = [
  'messages',
  'smb_message_echoes',
  'message_echoes',
  'history',
  'smb_app_state_sync',
  'calls',
];

const concernsConnection = (change: Change): boolean =>
  change.kind === 'template' || (change.kind === 'other' && !CONVERSATION_FIELDS.includes(change.field));

/** Stores what a signed notification says, whatever it is, in one transaction; copies of it change nothing. */
export async function storeNotification(
  pool: Pool,
  owner: ChangeOwner,
  rawBody: Uint8Array,
): Promise<StoredCount> {
  const changes = readChanges(rawBody);
  if ('problem' in changes)
    return untilNoDeadlock(pool, owner, (client) => keepUnread(client, owner, rawBody, changes.problem));
  return storeChanges(pool, owner, changes);
}

/** The same with what a notification says, or with a part of it. */
export const storeChanges = (
  pool: Pool,
  owner: ChangeOwner,
  changes: readonly Change[],
): Promise<StoredCount> => untilNoDeadlock(pool, owner, (client) => storeIn(client, owner, changes));

/** What a notification says; `problem`: it is not JSON. */
export function readChanges(rawBody: Uint8Array): Change[] | { problem: string } {
  try {
    return parseNotification(parseJsonBytes(rawBody));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { problem: `The body is not valid JSON: ${error.message}.` };
    throw error;
  }
}

async function storeIn(
  client: Queryable,
  owner: ChangeOwner,
  changes: readonly Change[],
): Promise<StoredCount> {
  const keys = changes.map(({ key }) => key);
  const fresh = await claimChanges(client, owner.connectionId, keys);
  const first = changes.filter(
    (change, index) => fresh.has(change.key) && keys.indexOf(change.key) === index,
  );
  const recorded = await recordChanges(client, owner, first);
  const receivedAt = new Date();
  if (first.some(concernsConnection)) {
    await client.query(CHECK_SOON, [owner.connectionId]);
    await noteAccount(client, owner, first, receivedAt);
  }
  await noteStatusTroubles(client, owner, first.flatMap(codesOf));
  return { changes: first.length, ...(await forwardChanges(client, owner, recorded, receivedAt)) };
}

/** Of the errors of a failed message. */
const codesOf = (change: Change): number[] =>
  change.kind === 'status' && change.status === 'failed' ? change.errors.map(({ code }) => code) : [];

async function keepUnread(
  client: Queryable,
  owner: ChangeOwner,
  rawBody: Uint8Array,
  reason: string,
): Promise<StoredCount> {
  const key = `unread:${createHash('sha256').update(rawBody).digest('base64url')}`;
  const fresh = await claimChanges(client, owner.connectionId, [key]);
  if (fresh.size === 0) return { changes: 0, forwarded: 0, kept: 0 };
  const body = Buffer.from(rawBody.subarray(0, KEPT_BYTES_OF_INVALID));
  await keepNotifications(client, owner, [{ outcome: 'rejected', reason, body }], new Date());
  return { changes: 1, forwarded: 0, kept: 1 };
}

const DEADLOCK = '40P01';
const MAX_TRIES = 3;

/** Notifications about the same customers may reach them in another order; who is stopped for it begins again. */
async function untilNoDeadlock<Result>(
  pool: Pool,
  owner: ChangeOwner,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryTransaction(pool, owner, work);
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || tries === MAX_TRIES) throw error;
    }
  }
}

const tryTransaction = <Result>(
  pool: Pool,
  { connectionId }: ChangeOwner,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> =>
  inTransaction(pool, async (client) => {
    const result = await work(client);
    await client.query(NOTE_ARRIVAL, [connectionId]);
    return result;
  });

const NOTE = `
insert into account_notices (workspace_id, connection_id, notice, received_at)
select $1, $2, notice, $3 from unnest($4::json[]) as n(notice)`;

/** Notes what changes say of templates and numbers, for alerts. Of messages and statuses it asks nothing. */
async function noteAccount(
  client: Queryable,
  { workspaceId, connectionId }: ChangeOwner,
  changes: readonly Change[],
  receivedAt: Date,
): Promise<void> {
  const notices = changes.flatMap((change) => {
    const field = fieldOf(change);
    return field ? [stringifyJson({ field, value: change.raw })] : [];
  });
  if (notices.length > 0) await client.query(NOTE, [workspaceId, connectionId, receivedAt, notices]);
}

function fieldOf(change: Change): NoticedField | undefined {
  if (change.kind === 'template') return 'message_template_status_update';
  if (change.kind !== 'other' || !change.isKnown) return undefined;
  return NOTICED_FIELDS.find((field) => field === change.field);
}

type IncomingChange = MessageChange | StatusChange;

/**
 * Stores what changes say of customers, windows and sent messages, and gives it to the runs that wait for it.
 * @returns the changes in their order, each with the runs that took it
 */
async function recordChanges(
  client: Queryable,
  owner: ChangeOwner,
  changes: readonly Change[],
): Promise<RecordedChange[]> {
  const customers = new Map<Change, Customer | null>();
  for (const change of changes.filter(isOfCustomer).toSorted(byRow))
    customers.set(change, await record(client, owner, change));
  const flat = changes.map((change) => ({ change, fields: flattenChange(change, owner.connectionId) }));
  const waited = flat.filter(mayBeAwaited);
  const now = withNamesNow([...customers.values()]);
  const takers = await notifyWaitingRuns(
    client,
    waited.map((each) => toIncoming(owner, each, now(customers.get(each.change) ?? null))),
  );
  const takenBy = new Map(waited.map(({ change }, index) => [change as Change, takers[index]]));
  return flat.map(({ change, fields }) => ({
    change,
    fields,
    takenBy: (isAboutCustomer(change) ? customers.get(change)?.followedBy : takenBy.get(change)) ?? [],
  }));
}

const mayBeAwaited = (each: FlatChange): each is FlatChange<IncomingChange> =>
  isIncoming(each.change) && !isAboutCustomer(each.change);

function record(
  client: Queryable,
  owner: ChangeOwner,
  change: IncomingChange | EchoChange,
): Promise<Customer | null> {
  if (change.kind === 'message') return recordMessage(client, owner, change);
  return change.kind === 'echo' ? recordEcho(client, owner, change) : recordStatus(client, owner, change);
}

/** What runs that wait have followed already: no answer. */
const isAboutCustomer = (change: Change): boolean => change.kind === 'message' && isSystem(change);

/** A notification may report what a customer wrote under a name together with its change: runs wait for the new one by then. */
function withNamesNow(
  customers: readonly (Customer | null)[],
): (customer: Customer | null) => Customer | null {
  const changed = new Map(
    customers.flatMap((each) => each?.changed ?? []).map(({ from, to }) => [from, to] as const),
  );
  return (customer) =>
    customer && {
      ...customer,
      names: customer.names.flatMap((name) => {
        const next = changed.get(name);
        return next === undefined ? [name] : [name, next];
      }),
    };
}

const isIncoming = (change: Change): change is IncomingChange =>
  change.kind === 'message' || change.kind === 'status';

const isOfCustomer = (change: Change): change is IncomingChange | EchoChange =>
  isIncoming(change) || change.kind === 'echo';

/** Rows of customers and messages are reached in the same order by all, so that transactions wait and never deadlock. */
const byRow = (a: IncomingChange | EchoChange, b: IncomingChange | EchoChange): number =>
  rowOf(a) < rowOf(b) ? -1 : 1;
const rowOf = (change: IncomingChange | EchoChange): string =>
  `${change.kind === 'message' ? change.from : change.recipient} ${change.key}`;

const toIncoming = (
  owner: ChangeOwner,
  { change, fields }: FlatChange<IncomingChange>,
  customer: Customer | null,
): Incoming =>
  change.kind === 'message'
    ? toIncomingMessage(owner, change, fields, customer)
    : toIncomingStatus(owner, change, customer);

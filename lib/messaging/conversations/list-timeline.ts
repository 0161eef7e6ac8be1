// What was said between the business and a customer, and what was remembered of them, under all of the customer's names.
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { invalidCursor, type PageInput } from '#lib/core/db/paging.ts';
import type { Context } from '#lib/identity/context.ts';
import type { AttributeType } from '#lib/messaging/schema/attribute-types.ts';
import type { Evidence } from '#lib/messaging/schema/consent-types.ts';
import { type ConfirmationRow, findUnsent } from '#lib/messaging/consent/confirmations.ts';
import { findCustomer } from '#lib/messaging/consent/find-customer.ts';
import { findMessages, type ListedMessage } from '#lib/messaging/sending/find-message.ts';
import { type CustomerRow, findCustomerRow } from '#lib/messaging/customers/customer-rows.ts';

/** An event of a customer's message. */
export interface EventOfMessage {
  eventId: string;
  /** Null: no run started from it or took it. */
  runId: string | null;
  /** The workflow that the event is of, or whose run took it; null: none. */
  workflowId: string | null;
  /** Null: retention removed the event or its content. */
  body: Buffer | null;
}

/** A write of an attribute. */
export interface RememberedChange {
  id: string;
  /** The name that it was written under. */
  customer: string;
  attribute: string;
  type: AttributeType;
  /** As it is stored; null: it was removed. */
  value: string | null;
  evidence: Evidence;
}

export type TimelineItem =
  | { direction: 'remembered'; at: Date; change: RememberedChange }
  | { direction: 'sent'; at: Date; message: ListedMessage }
  /** An answer to a stop that was not sent, or not yet; a sent one is a sent message. */
  | { direction: 'confirmation'; at: Date; confirmation: ConfirmationRow }
  | {
      direction: 'received';
      at: Date;
      messageId: string;
      customer: string;
      phoneNumberId: string;
      type: string;
      /** Several where it started several workflows. */
      events: EventOfMessage[];
    };

export interface TimelinePage {
  data: TimelineItem[];
  next_cursor: string | null;
}

/**
 * @param reference the customer's id, a number with its country code, or a user id
 * @throws AppError `not_found`
 */
export async function loadCustomer(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  reference: string,
): Promise<CustomerRow> {
  const id = isId(reference) ? reference : (await findCustomer(ctx, reference)).customerId;
  const customer = id === null ? undefined : await findCustomerRow(ctx, id);
  if (customer) return customer;
  throw new AppError(
    'not_found',
    'This customer does not exist. Customers are removed when their messages are (Settings → Retention).',
  );
}

/** By the index over the name and the time alone (lib/core/db/paging.ts). */
const newest = (
  table: string,
  column: string,
  at: string,
  [key, id]: [key: string, id: string],
  where = '',
): string => `
(select '${table}' as source, ${key} as key, ${at} as at, ${id} as id from ${table}
  where ${where} workspace_id = $1 and (${column}, ${at}) < (n.name, $4) and (${column}, ${at}) >= (n.name, n.since)
  order by workspace_id desc, ${column} desc, ${at} desc fetch first ($5) rows with ties)`;

/** Those of the same millisecond are on one page: the cursor is a time. */
const NEWEST = `
select m.source, m.key, m.at from unnest($2::text[], $3::timestamptz[]) as n(name, since)
cross join lateral (
  ${newest('sent_messages', 'recipient', 'created_at', ['message_id', 'null::uuid'])}
  union all ${newest('received_messages', 'customer', 'received_at', ['message_id', 'event_id'])}
  union all ${newest('attribute_changes', 'name', 'at', ['id::text', 'null::uuid'])}
  union all ${newest('consent_confirmations', 'customer', 'created_at', ['id::text', 'null::uuid'], 'sent_id is null and')}
) m
order by m.at desc, m.id desc nulls first fetch first ($5) rows with ties`;

interface Found {
  source: 'sent_messages' | 'received_messages' | 'attribute_changes' | 'consent_confirmations';
  key: string;
  at: Date;
}

/**
 * A page of a customer's messages in both directions, and of writes of their attributes, newest first. Those of one instant are listed together, so that a page may be
 * longer than asked for.
 */
export async function listTimeline(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { names }: CustomerRow,
  { limit, cursor }: PageInput,
): Promise<TimelinePage> {
  const { rows } = await ctx.db.$client.query<Found>(NEWEST, [
    ctx.workspaceId,
    names.map(({ name }) => name),
    names.map(({ since }) => since),
    readInstant(cursor),
    limit + 1,
  ]);
  const last = rows.length > limit ? rows[limit - 1]?.at : undefined;
  const shown = last === undefined ? rows : rows.filter(({ at }) => at >= last);
  const data = await readItems(ctx, shown);
  return { data, next_cursor: last === undefined ? null : toCursor(last) };
}

const toCursor = (at: Date): string => Buffer.from(String(at.getTime()), 'latin1').toString('base64url');

/** Before the first page: after any message. @throws AppError `invalid_request` */
function readInstant(cursor: string | undefined): Date | 'infinity' {
  if (cursor === undefined) return 'infinity';
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  if (/^\d{1,15}$/.test(text)) return new Date(Number(text));
  throw invalidCursor();
}

/** Each event by its id alone: with a join the planner could read all of them. */
const RECEIVED = `
select r.message_id as "messageId", r.customer, r.phone_number_id as "phoneNumberId", r.type, r.received_at as at,
  r.event_id as "eventId", r.run_id as "runId", e.body,
  coalesce(e.workflow_id, (select workflow_id from runs where id = r.run_id limit 1)) as "workflowId"
from received_messages r left join lateral (
  select workflow_id, body from events where id = r.event_id limit 1) e on true
where r.workspace_id = $1 and r.message_id = any($2::text[])
order by r.message_id, r.event_id`;

interface ReceivedRow extends EventOfMessage {
  messageId: string;
  customer: string;
  phoneNumberId: string;
  type: string;
  at: Date;
}

type Received = Extract<TimelineItem, { direction: 'received' }>;

async function readItems(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  found: readonly Found[],
): Promise<TimelineItem[]> {
  const idsOf = (source: Found['source']) =>
    found.filter((row) => row.source === source).map(({ key }) => key);
  const [sent, received, changes, confirmations] = await Promise.all([
    findMessages(ctx, idsOf('sent_messages')),
    findReceived(ctx, idsOf('received_messages')),
    findChanges(ctx, idsOf('attribute_changes')),
    findUnsent(ctx, idsOf('consent_confirmations')),
  ]);
  const items = new Map<string, TimelineItem>([
    ...sent.map((message): [string, TimelineItem] => [
      `sent_messages ${message.messageId}`,
      { direction: 'sent', at: message.createdAt, message },
    ]),
    ...received.map((each): [string, TimelineItem] => [`received_messages ${each.messageId}`, each]),
    ...changes.map((each): [string, TimelineItem] => [`attribute_changes ${each.change.id}`, each]),
    ...confirmations.map((confirmation): [string, TimelineItem] => [
      `consent_confirmations ${confirmation.id}`,
      { direction: 'confirmation', at: confirmation.at, confirmation },
    ]),
  ]);
  const keys = [...new Set(found.map(({ source, key }) => `${source} ${key}`))];
  return keys.flatMap((key) => items.get(key) ?? []);
}

/** Customers' messages by their ids, in any order. */
export async function findReceived(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  messageIds: readonly string[],
): Promise<Received[]> {
  if (messageIds.length === 0) return [];
  const { rows } = await db.$client.query<ReceivedRow>(RECEIVED, [workspaceId, messageIds]);
  return [...Map.groupBy(rows, ({ messageId }) => messageId).values()].flatMap((events) => {
    const [first] = events;
    if (!first) return [];
    const { messageId, customer, phoneNumberId, type, at } = first;
    return [{ direction: 'received', messageId, customer, phoneNumberId, type, at, events }];
  });
}

const CHANGES = `
select id::text as id, name as customer, attribute, type, value, at, evidence from attribute_changes
where workspace_id = $1 and id = any($2::bigint[])`;

async function findChanges(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  ids: readonly string[],
): Promise<Extract<TimelineItem, { direction: 'remembered' }>[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.$client.query<RememberedChange & { at: Date }>(CHANGES, [workspaceId, ids]);
  return rows.map(({ at, ...change }) => ({ direction: 'remembered', at, change }));
}

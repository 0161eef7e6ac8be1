// What belongs to a customer alone: messages, events and runs that are for no one else, names, windows, consent, holds.
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { databaseOver, inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { LOWEST_ID } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { cancelRun } from '#lib/engine/store/cancel-run.ts';
import { leaveLines } from '#lib/engine/store/run-lines.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { markOfMessage } from '#lib/messaging/customers/erased-names.ts';
import { CUSTOMER_KEYS } from '#lib/messaging/customers/customer-names.ts';
import { renderRunError } from '#lib/webhooks/render-response.ts';
import { EVENT_BODIES, EVENTS } from '../retention/remove-events.ts';
import type { RemovalContext } from '../retention/parts.ts';
import { RUN_BODIES, RUNS } from '../retention/remove-runs.ts';
import { cleanRun, isForOthers } from './clean-run.ts';
import type { Spellings } from './spellings.ts';

/** An erasure while a worker is at it. */
export interface Erasing {
  id: string;
  workspaceId: string;
  names: readonly string[];
  spellings: Spellings;
  removal: RemovalContext;
  /** Adds to what the receipt counts. */
  count: (kind: string, rows: number) => void;
  /** Open runs that are for others, too: erased when they have ended. */
  waitsFor: Set<string>;
}

const ROWS_AT_ONCE = 200;
const RUNS_AT_ONCE = 50;

/** The runs that sent something to the customer, or that their messages started or continued. */
const RUNS_OF = `
select distinct run_id as id from (
  select run_id from sent_messages where workspace_id = $1 and recipient = any($2::text[]) and run_id > $3
  union all
  select run_id from received_messages where workspace_id = $1 and customer = any($2::text[]) and run_id > $3
) found order by run_id limit ${RUNS_AT_ONCE}`;

/** A page of the customer's runs. @returns the id it came to; null: all are done */
export async function eraseRuns(pool: Pool, erasing: Erasing, position: string): Promise<string | null> {
  const { workspaceId, names } = erasing;
  const { rows } = await pool.query<{ id: string }>(RUNS_OF, [workspaceId, names, position || LOWEST_ID]);
  const last = rows.at(-1);
  if (!last) return null;
  await eraseTheseRuns(
    pool,
    erasing,
    rows.map(({ id }) => id),
  );
  return last.id;
}

interface RunRow {
  id: string;
  event_ids: string[];
  is_open: boolean;
  is_for_others: boolean;
  has_loop: boolean;
  is_of_message: boolean;
}

const FOUND = `
select r.id, array(select r.event_id union select b.event_id from burst_events b where b.run_id = r.id) as event_ids,
  ${isOpenRunSql('r.status')} as is_open,
  ${isForOthers('r.id', '$3::text[]')} as is_for_others,
  exists (select from task_runs t where t.run_id = r.id and t.items is not null) as has_loop, exists (
    select from received_messages m where m.workspace_id = $2 and m.customer = any($3::text[]) and m.run_id = r.id
      and (m.event_id = r.event_id or m.event_id in (select b.event_id from burst_events b where b.run_id = r.id))
  ) as is_of_message
from runs r where r.id = any($1::uuid[]) and r.workspace_id = $2`;

/** Of runs that stay: what a customer wrote is in what their message started. */
const CLEAR_WORDS = `
update task_runs set run_text = null, attempts = null,
  error = case when error is null then null else json_build_object('code', error->>'code', 'message', '[erased]') end
where run_id = any($1::uuid[])`;
/** A line is a hash of the value that its runs have in common, which may be a number. */
const FORGET_LINES = 'update runs set line = null where id = any($1::uuid[]) and line is not null';
/** Keys are hashes of values that may be a number. */
const FORGET_KEYS = 'delete from webhook_keys where event_id = any($1::uuid[])';

/**
 * Cancels those that are open and for this customer alone, and removes them; those that are for others, too, are cleaned by the
 * steps that follow, once they have ended.
 */
async function eraseTheseRuns(pool: Pool, erasing: Erasing, ids: readonly string[]): Promise<void> {
  const { workspaceId, names, removal } = erasing;
  const read = async () => (await pool.query<RunRow>(FOUND, [ids, workspaceId, names])).rows;
  for (const run of await read()) {
    if (!run.is_open) continue;
    if (run.is_of_message || !(run.is_for_others || run.has_loop)) await cancel(pool, erasing, run.id);
    else erasing.waitsFor.add(run.id);
  }
  const ended = (await read()).filter((run) => !run.is_open);
  const own = ended.filter((run) => !run.is_for_others && !run.has_loop);
  const ofMessages = ended.filter((run) => run.is_of_message && !own.includes(run)).map(({ id }) => id);
  await inTransaction(pool, async (client) => {
    if (ofMessages.length > 0) {
      const batch = { workspaceId, keys: ofMessages, cutoff: removal.now };
      await RUN_BODIES.remove(client, removal, batch);
      await client.query(CLEAR_WORDS, [ofMessages]);
      erasing.count('runs_emptied', ofMessages.length);
    }
    await client.query(FORGET_LINES, [ended.map(({ id }) => id)]);
    const keys = own.map(({ id }) => id);
    if (keys.length === 0) return;
    erasing.count('runs', await RUNS.remove(client, removal, { workspaceId, keys, cutoff: removal.now }));
    await removeUnusedEvents(client, erasing, [...new Set(own.flatMap((run) => run.event_ids))]);
  });
  for (const run of ended) if (!own.includes(run)) await cleanRun(pool, erasing, run.id);
}

async function cancel(pool: Pool, { workspaceId, count }: Erasing, id: string): Promise<void> {
  try {
    await databaseOver(pool).transaction(async (tx: Transaction) => {
      const cancelled = await cancelRun(tx, { id, workspaceId }, answerOf(id));
      if (cancelled.length > 0) count('runs_cancelled', cancelled.length);
    });
  } catch (error) {
    // It has ended.
    if (!(error instanceof AppError)) throw error;
  }
}

/** An event has its first run, and those that were started for it later. */
const IS_USED = `exists (select from runs r where r.id = e.run_id)
  or exists (select from runs r where r.event_id = e.id and (r.retry_of is not null or r.version < 0))`;
const EVENT_ROWS = `
select e.id, ${IS_USED} as is_used from events e where e.id = any($1::uuid[]) and e.workspace_id = $2
order by e.id for update of e`;

/** @returns the events that stay because runs that are for others need them */
async function removeUnusedEvents(
  client: Queryable,
  { workspaceId, removal, count }: Erasing,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string; is_used: boolean }>(EVENT_ROWS, [ids, workspaceId]);
  const unused = rows.filter((row) => !row.is_used).map(({ id }) => id);
  await client.query(FORGET_KEYS, [unused]);
  const batch = { workspaceId, keys: unused, cutoff: removal.now };
  if (unused.length > 0) count('events', await EVENTS.remove(client, removal, batch));
  return rows.filter((row) => row.is_used).map(({ id }) => id);
}

/** Removes events that are about this customer alone, with their runs. @returns those that stay with a run that is for others */
export async function eraseEvents(pool: Pool, erasing: Erasing, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<{ id: string }>(
    `select r.id from events e join runs r on r.id = e.run_id where e.id = any($1::uuid[])
     union select id from runs r where r.event_id = any($1::uuid[]) and (r.retry_of is not null or r.version < 0)`,
    [ids],
  );
  const runIds = rows.map(({ id }) => id);
  if (runIds.length > 0) await eraseTheseRuns(pool, erasing, runIds);
  return inTransaction(pool, (client) => removeUnusedEvents(client, erasing, ids));
}

const RECEIVED = `
select message_id, event_id from received_messages where workspace_id = $1 and customer = any($2::text[])
limit ${ROWS_AT_ONCE}`;
const MARK_CHANGES = `
with known as (
  delete from received_changes c using unnest($2::text[], $3::text[]) as erased(key, mark)
  where c.connection_id in (select id from connections where workspace_id = $1) and c.change_key = erased.key
  returning c.connection_id, erased.mark, c.received_at
)
insert into received_changes (connection_id, change_key, received_at)
select distinct on (connection_id, mark) connection_id, mark, received_at from known order by connection_id, mark
on conflict do nothing`;
const FORGET_SIGNALS = `delete from used_signals where workspace_id = $1 and id = any($2::text[])`;
const DELETE_RECEIVED = `
delete from received_messages r using unnest($2::text[], $3::uuid[]) as gone(message_id, event_id)
where r.workspace_id = $1 and r.message_id = gone.message_id and r.event_id = gone.event_id`;

/** A part of what the customer wrote. @returns whether there may be more */
export async function eraseReceived(pool: Pool, erasing: Erasing): Promise<boolean> {
  const { workspaceId, names, removal } = erasing;
  const { rows } = await pool.query<{ message_id: string; event_id: string }>(RECEIVED, [workspaceId, names]);
  if (rows.length === 0) return false;
  const kept = await eraseEvents(
    pool,
    erasing,
    rows.map((row) => row.event_id),
  );
  const ids = rows.map((row) => row.message_id);
  await inTransaction(pool, async (client) => {
    const batch = { workspaceId, keys: kept, cutoff: removal.now };
    if (kept.length > 0) erasing.count('events', await EVENT_BODIES.remove(client, removal, batch));
    await client.query(FORGET_KEYS, [kept]);
    await markChanges(client, workspaceId, ids);
    await client.query(FORGET_SIGNALS, [workspaceId, ids]);
    const values = [workspaceId, ids, rows.map((row) => row.event_id)];
    erasing.count('messages_received', (await client.query(DELETE_RECEIVED, values)).rowCount ?? 0);
  });
  return true;
}

/** The platform repeats notifications, and reports statuses later: they are not stored again. */
async function markChanges(client: Queryable, workspaceId: string, ids: readonly string[]): Promise<void> {
  const pairs = ids.flatMap((id) =>
    ['message', 'echo', ...STATUSES.map((status) => `status:${status}`)].map((kind) => ({ id, kind })),
  );
  const keyOf = ({ id, kind }: { id: string; kind: string }): string =>
    kind.startsWith('status:') ? `status:${id}:${kind.slice('status:'.length)}` : `${kind}:${id}`;
  await client.query(MARK_CHANGES, [workspaceId, pairs.map(keyOf), pairs.map(({ id }) => markOfMessage(id))]);
}

const STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'];

const SENT = `
select message_id, connection_id, errors::text as errors, timeline::text as timeline, json_array_length(timeline) as statuses
from sent_messages where workspace_id = $1 and recipient = any($2::text[]) limit ${ROWS_AT_ONCE}`;
const MARK_SENT = `
insert into received_changes (connection_id, change_key)
select * from unnest($1::uuid[], $2::text[]) as erased(connection_id, key) order by 1, 2 on conflict do nothing`;
/** Reports count what was sent: the rows stay, without anyone in them. */
const EMPTY_SENT = `
update sent_messages m set message_id = gone.new_id, recipient = 'erased', errors = gone.errors::json, timeline = gone.timeline::json
from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as gone(message_id, new_id, errors, timeline)
where m.workspace_id = $1 and m.message_id = gone.message_id`;
const EMPTY_UNDELIVERED = `
update undelivered_runs u set message_id = gone.new_id from unnest($2::text[], $3::text[]) as gone(message_id, new_id)
where u.run_id in (select run_id from sent_messages where workspace_id = $1 and message_id = gone.new_id) and u.message_id = gone.message_id`;

interface SentRow {
  message_id: string;
  connection_id: string;
  errors: string | null;
  timeline: string;
  statuses: number;
}

/** As the platform's ids contain numbers. */
const erasedId = (erasureId: string, messageId: string): string =>
  `erased.${createHash('sha256').update(`${erasureId} ${messageId}`).digest('base64url')}`;

/** A part of what was sent to the customer. @returns whether there may be more */
export async function eraseSent(pool: Pool, erasing: Erasing): Promise<boolean> {
  const { id, workspaceId, names, spellings, count } = erasing;
  const { rows } = await pool.query<SentRow>(SENT, [workspaceId, names]);
  if (rows.length === 0) return false;
  const ids = rows.map((row) => row.message_id);
  const newIds = ids.map((messageId) => erasedId(id, messageId));
  const clean = (text: string): string => spellings.cleanJson(text, true);
  await inTransaction(pool, async (client) => {
    await markChanges(client, workspaceId, ids);
    await client.query(MARK_SENT, [rows.map((row) => row.connection_id), ids.map(markOfMessage)]);
    await client.query(EMPTY_SENT, [
      workspaceId,
      ids,
      newIds,
      rows.map(({ errors }) => errors && clean(errors)),
      rows.map(({ timeline }) => clean(timeline)),
    ]);
    await client.query(EMPTY_UNDELIVERED, [workspaceId, ids, newIds]);
  });
  count('messages_sent', rows.length);
  count(
    'statuses',
    rows.reduce((sum, row) => sum + row.statuses, 0),
  );
  return true;
}

const NAMED: readonly (readonly [kind: string, statement: string])[] = [
  [
    'names',
    'delete from customer_names where workspace_id = $1 and (name = any($2::text[]) or alias_of = any($2::text[]))',
  ],
  ['windows', 'delete from conversation_windows where workspace_id = $1 and customer = any($2::text[])'],
  ['consents', 'delete from customer_consents where workspace_id = $1 and name = any($2::text[])'],
  ['consent_evidence', 'delete from consent_changes where workspace_id = $1 and name = any($2::text[])'],
  ['holds', 'delete from customer_holds where workspace_id = $1 and name = any($2::text[])'],
  ['attributes', 'delete from customer_attributes where workspace_id = $1 and name = any($2::text[])'],
  ['attribute_changes', 'delete from attribute_changes where workspace_id = $1 and name = any($2::text[])'],
  [
    'confirmations',
    'delete from consent_confirmations where workspace_id = $1 and customer = any($2::text[])',
  ],
  ['limits', 'delete from marketing_places where workspace_id = $1 and name = any($2::text[])'],
  [
    'limits',
    'delete from business_initiated_messages where workspace_id = $1 and recipient = any($2::text[])',
  ],
  // Of no workspace: at worst one message leaves a few seconds early.
  [
    'limits',
    `delete from send_rates where $1::uuid is not null and split_part(rate_key, ':', 3) = any($2::text[])`,
  ],
];
/** Cancels the runs that wait for the customer, also those that are for others. @returns their ids */
export async function cancelWaiting(
  tx: Transaction,
  { workspaceId, names }: Pick<Erasing, 'workspaceId' | 'names'>,
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select distinct w.run_id as id from signal_waits w
      where w.workspace_id = ${workspaceId} and w.is_open and starts_with(w.key, ${CUSTOMER_KEYS})
        and split_part(w.key, ':', 3) = any(${sql.param(names)}::text[]) order by 1`,
  );
  const cancelled = new Set(rows.map(({ id }) => id));
  for (const { id } of rows)
    for (const each of await cancelRun(tx, { id, workspaceId }, answerOf(id), { leavesLine: false }))
      cancelled.add(each);
  const ids = [...cancelled];
  await leaveLines(tx, ids);
  return ids;
}

const answerOf = (id: string) =>
  renderRunError(new AppError('workflow_failed', 'The workflow was cancelled.'), id);

/** What is stored under the customer's names, last: until then they are found by them. */
export async function eraseNamed(client: Queryable, { workspaceId, names, count }: Erasing): Promise<void> {
  for (const [kind, statement] of NAMED)
    count(kind, (await client.query(statement, [workspaceId, names])).rowCount ?? 0);
}

/** How many rows of each kind belong to the customer. */
export const COUNT_OWN = `
select
  (select count(distinct run_id)::int from (
    select run_id from sent_messages where workspace_id = $1 and recipient = any($2::text[]) and run_id is not null
    union all select run_id from received_messages where workspace_id = $1 and customer = any($2::text[]) and run_id is not null
  ) found) as runs,
  (select count(distinct event_id)::int from received_messages where workspace_id = $1 and customer = any($2::text[])) as events,
  (select count(*)::int from sent_messages where workspace_id = $1 and recipient = any($2::text[])) as messages_sent,
  (select count(distinct message_id)::int from received_messages where workspace_id = $1 and customer = any($2::text[]))
    as messages_received,
  (select count(distinct message_id)::int from received_messages where workspace_id = $1 and customer = any($2::text[])
    and type in ('image', 'video', 'audio', 'document', 'sticker')) as files,
  (select coalesce(sum(json_array_length(timeline)), 0)::int from sent_messages
    where workspace_id = $1 and recipient = any($2::text[])) as statuses,
  (select count(*)::int from customer_names where workspace_id = $1 and name = any($2::text[])) as names,
  (select count(*)::int from conversation_windows where workspace_id = $1 and customer = any($2::text[])) as windows,
  (select count(*)::int from customer_consents where workspace_id = $1 and name = any($2::text[])) as consents,
  (select count(*)::int from consent_changes where workspace_id = $1 and name = any($2::text[])) as consent_evidence,
  (select count(*)::int from customer_holds where workspace_id = $1 and name = any($2::text[])) as holds,
  (select count(*)::int from customer_attributes where workspace_id = $1 and name = any($2::text[])) as attributes`;

/** JSON of the counts that are not zero. */
export const nonZero = (counts: Readonly<Record<string, number>>): string =>
  stringifyJson(Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0)));

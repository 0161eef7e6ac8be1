import { sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '#lib/core/db/client.ts';
import { type Column, Columns, namesOf as namesOfColumns, unnest } from '#lib/core/db/columns.ts';
import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { SignaledRun } from '#lib/engine/store/deliver-signals.ts';
import { moveWaits } from '#lib/engine/store/signal-waits.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';

// Keys of waits for customers' messages (docs/engine.md, "Signals").
/** Prefix of these keys. */
export const CUSTOMER_KEYS = 'customer:';
/** Suffix of the keys of waits for a customer, at any number. @param customer one of their names */
const customerEnd = (customer: string): string => `:${customer}`;

/** The key of waits for a customer's messages to a number. @param customer one of their names: number or user id */
export const customerKey = (phoneNumberId: string, customer: string): string =>
  `${CUSTOMER_KEYS}${phoneNumberId}${customerEnd(customer)}`;

// Messages are sent to a customer's number or their user id; notifications show which belong together. Other data about a
// customer is stored under one of the names, and found by all of them.

/** A notification's data about one customer; empty: unknown. */
export interface ReportedNames {
  number: string;
  userId: string;
  /** User ids are of the portfolio that the business account belongs to. */
  businessAccountId: string;
}

export interface Customer {
  id: string;
  /** Their known number and user ids, in the order of the texts; never empty. */
  names: string[];
  /** Their names that have just changed, with the new ones. */
  changed?: ChangedName[];
  /** Runs whose waits were moved to the changed names. */
  followedBy?: SignaledRun[];
}

/** How exactly it is stored when a name was last reported, so that not every notification writes. */
export const SEEN_STEP_HOURS = 1;

/** A name of a customer, as it is stored. */
export interface NameRow {
  name: string;
  customer_id: string;
  business_account_id: string;
  alias_of: string | null;
}

const READ = `
select name, customer_id, business_account_id, alias_of from customer_names
where workspace_id = $1
  and customer_id in (select customer_id from customer_names where workspace_id = $1 and name = any($2::text[]))
order by name`;

const ADD = `
insert into customer_names (workspace_id, name, customer_id, business_account_id)
select $1, name, $2, $3 from unnest($4::text[]) as reported(name) order by name
on conflict do nothing`;

const FORGET = 'delete from customer_names where workspace_id = $1 and name = any($2::text[])';
const JOIN = `
with noted as (
  insert into joined_customers (workspace_id, customer_id, joined_id) select $1, unnest($3::uuid[]), $2
  on conflict (customer_id) do update set joined_id = excluded.joined_id
), followed as (
  update joined_customers set joined_id = $2 where joined_id = any($3::uuid[])
)
update customer_names set customer_id = $2 where workspace_id = $1 and customer_id = any($3::uuid[])`;

/**
 * Stores that the names belong to one customer. A name that has changed (a number is reassigned, a user id changes with the
 * number) is removed, and waits of runs are moved. @returns the customer
 */
export async function learnCustomer(
  client: Queryable,
  workspaceId: string,
  reported: ReportedNames,
): Promise<Customer> {
  const names = namesOf(reported);
  const known = await readRows(client, workspaceId, names);
  if (isOneCustomer(known) && isKnown(known, names)) return toCustomer(known);
  await client.query(ADD, [workspaceId, known[0]?.customer_id ?? newId(), reported.businessAccountId, names]);
  const rows = (await client.query<NameRow>(`${READ} for update`, [workspaceId, names])).rows;
  const stale = rows.filter((row) => isReplaced(row, reported)).map(({ name }) => name);
  if (stale.length > 0) await client.query(FORGET, [workspaceId, stale]);
  const left = rows.filter(({ name }) => !stale.includes(name));
  const changed = listChanged(rows, reported);
  const followedBy = await followCustomer(client, workspaceId, changed);
  const kept = customerOf(left, reported);
  const others = [...new Set(left.map(({ customer_id }) => customer_id))].filter((id) => id !== kept);
  if (others.length > 0) await client.query(JOIN, [workspaceId, kept, others]);
  const customer = toCustomer(left.map((row) => ({ ...row, customer_id: kept })));
  return changed.length === 0 ? customer : { ...customer, changed, followedBy };
}

export const namesOf = ({ number, userId }: Pick<ReportedNames, 'number' | 'userId'>): string[] =>
  [...new Set([number, userId])].filter(Boolean).sort();

const readRows = async (
  client: Queryable,
  workspaceId: string,
  names: readonly string[],
): Promise<NameRow[]> => (await client.query<NameRow>(READ, [workspaceId, names])).rows;

/** Whether the rows are of one customer. */
export const isOneCustomer = (rows: readonly NameRow[]): boolean =>
  new Set(rows.map(({ customer_id }) => customer_id)).size === 1;

/** Whether each name has a row. */
export const isKnown = (rows: readonly NameRow[], names: readonly string[]): boolean =>
  names.every((name) => rows.some((row) => row.name === name));

/** Whether a customer with these names no longer has this one. */
export function isReplaced(row: NameRow, { number, userId, businessAccountId }: ReportedNames): boolean {
  if (row.name === number || row.name === userId) return false;
  if (row.alias_of !== null) return number !== '' && row.alias_of !== number;
  if (!isUserId(row.name)) return number !== '';
  return userId !== '' && row.business_account_id === businessAccountId;
}

/** Changed names of a customer: recognized by the user id when the number has changed, and by the number when the user id has. */
function listChanged(rows: readonly NameRow[], reported: ReportedNames): ChangedName[] {
  const ownerOf = (name: string) => rows.find((row) => row.name === name)?.customer_id;
  return rows
    .filter((row) => isReplaced(row, reported))
    .flatMap((row) => {
      if (row.customer_id !== ownerOf(reported.userId)) return [];
      if (!isUserId(row.name)) return [{ from: row.name, to: reported.number }];
      return row.customer_id === ownerOf(reported.number) ? [{ from: row.name, to: reported.userId }] : [];
    });
}

/** The customer with the number: messages were most likely sent to it. */
const customerOf = (rows: readonly NameRow[], { number, userId }: ReportedNames): string => {
  const row = rows.find(({ name }) => name === number) ?? rows.find(({ name }) => name === userId);
  if (!row) throw new Error('A customer was stored and is not there.');
  return row.customer_id;
};

/** @param rows all of one customer */
export const toCustomer = (rows: readonly NameRow[]): Customer => ({
  id: rows[0]?.customer_id ?? '',
  names: rows.map(({ name }) => name).sort(),
});

/** A number or user id that a customer no longer has, and its replacement. */
interface ChangedName {
  from: string;
  to: string;
}

// A name that changes: the customer takes along what they stopped, their hold and what is remembered of them; the old name may be another person's next.

const MOVE_CONSENTS = `
with moved as (delete from customer_consents where workspace_id = $1 and name = $2 returning *)
insert into customer_consents as known (workspace_id, name, purpose, state, since, evidence)
select workspace_id, $3, purpose, state, since, evidence from moved order by purpose
on conflict (workspace_id, name, purpose) do update
  set state = excluded.state, since = excluded.since, evidence = excluded.evidence
  where known.state = 'given' and excluded.state = 'stopped'`;

const MOVE_CHANGES = 'update consent_changes set name = $3 where workspace_id = $1 and name = $2';

const MOVE_HOLDS = `
with moved as (delete from customer_holds where workspace_id = $1 and name = $2 returning *)
insert into customer_holds (workspace_id, name, since, until, reason, evidence, sends, deadlines, pauses)
select workspace_id, $3, since, until, reason, evidence, sends, deadlines, pauses from moved
on conflict (workspace_id, name) do nothing`;

const MOVE_ATTRIBUTES = `
with moved as (delete from customer_attributes where workspace_id = $1 and name = $2 returning *)
insert into customer_attributes as known (workspace_id, name, attribute, type, value, at, evidence)
select workspace_id, $3, attribute, type, value, at, evidence from moved order by attribute
on conflict (workspace_id, name, attribute) do update
  set type = excluded.type, value = excluded.value, at = excluded.at, evidence = excluded.evidence where known.at < excluded.at`;

const MOVE_ATTRIBUTE_CHANGES = 'update attribute_changes set name = $3 where workspace_id = $1 and name = $2';

const MOVE_PLACES = 'update marketing_places set name = $3 where workspace_id = $1 and name = $2';

const MOVES = [MOVE_CONSENTS, MOVE_CHANGES, MOVE_HOLDS, MOVE_ATTRIBUTES, MOVE_ATTRIBUTE_CHANGES, MOVE_PLACES];

async function moveRecords(
  client: Queryable,
  workspaceId: string,
  changed: readonly { from: string; to: string }[],
): Promise<void> {
  for (const { from, to } of changed)
    for (const statement of MOVES) await client.query(statement, [workspaceId, from, to]);
}

/**
 * Moves consent, hold, attributes and waits of runs for a customer to the new name, for each number of the business. @param client of the
 * transaction that records the change, so that no message is lost in between @returns these runs
 */
export async function followCustomer(
  client: Queryable,
  workspaceId: string,
  changed: readonly ChangedName[],
): Promise<SignaledRun[]> {
  await moveRecords(client, workspaceId, changed);
  return moveWaits(client, {
    workspaceId,
    prefix: CUSTOMER_KEYS,
    ends: changed.map(({ from, to }) => ({ from: customerEnd(from), to: customerEnd(to) })),
    note: stringifyJson({ kind: 'renamed', names: changed.map((each) => ({ ...each })) }),
  });
}

/**
 * SQL that stores that the platform has another number for an entered one, as for Mexico and Argentina: waits of runs for one
 * number, and look-ups of the window, find notifications about the other.
 */
export const learnAlias = (
  workspaceId: string,
  { entered, number }: { entered: string; number: string },
): SQL => sql`
  with known as (
    select customer_id, name = ${entered} as is_entered from customer_names
    where workspace_id = ${workspaceId} and name in (${entered}, ${number})
  ), kept as (
    select coalesce((select customer_id from known order by is_entered limit 1), ${newId()}::uuid) as id
  ), noted as (
    insert into joined_customers (workspace_id, customer_id, joined_id)
    select distinct ${workspaceId}::uuid, known.customer_id, kept.id from known, kept where known.customer_id <> kept.id
    on conflict (customer_id) do update set joined_id = excluded.joined_id
  ), followed as (
    update joined_customers j set joined_id = kept.id from known, kept
    where j.joined_id = known.customer_id and known.customer_id <> kept.id
  ), joined as (
    update customer_names set customer_id = (select id from kept), seen_at = now()
    where workspace_id = ${workspaceId} and name not in (${entered}, ${number})
      and customer_id in (select customer_id from known where is_entered)
  )
  insert into customer_names (workspace_id, name, customer_id, business_account_id, alias_of)
  select ${workspaceId}, reported.name, kept.id, '', reported.alias_of
  from kept, (values (${number}::text, null::text), (${entered}::text, ${number}::text)) as reported(name, alias_of)
  order by reported.name
  on conflict (workspace_id, name) do update set customer_id = excluded.customer_id, alias_of = excluded.alias_of,
    seen_at = excluded.seen_at`;

/** Numbers as columns, for `rememberNumbers`. */
const NUMBER = { workspace_id: 'uuid', name: 'text', customer_id: 'uuid' } as const;

/**
 * SQL that stores the numbers that messages were sent to as customers, who may never write. A number that was seen in the last hour
 * is not written, nor locked. User ids are known before anything is sent to them.
 * @param first number of the first of its parameters (`numbersToRemember`) @param after a query that is executed before
 */
export const rememberNumbers = (first: number, after = 'select 0'): string => `
  insert into customer_names as known (workspace_id, name, customer_id, business_account_id)
  select sent.workspace_id, sent.name, sent.customer_id, ''
  from ${unnest(NUMBER, first)} as sent(${namesOfColumns(NUMBER)})
  where (
    select true from customer_names k where k.workspace_id = sent.workspace_id and k.name = sent.name
      and k.seen_at >= now() - make_interval(hours => ${SEEN_STEP_HOURS})
  ) is null and (${after}) >= 0
  order by sent.workspace_id, sent.name
  on conflict (workspace_id, name) do update set seen_at = now()
    where known.seen_at < now() - make_interval(hours => ${SEEN_STEP_HOURS})`;

/** Its parameters: each number once. */
export function numbersToRemember(sent: readonly { workspaceId: string; number: string }[]): Column[] {
  const columns = new Columns(NUMBER);
  const numbers = new Map(sent.map((each) => [`${each.workspaceId} ${each.number}`, each]));
  for (const { workspaceId, number } of numbers.values()) columns.add([workspaceId, number, newId()]);
  return columns.parameters;
}

/**
 * SQL: every name of the customer who has this one, and the name itself once more, by the index of customers alone. Read another table
 * for each of them, in a lateral query with `offset 0`: `in (…)`, and `= any(array(…))` before PostgreSQL 17, may read all its
 * rows for each customer (record-sent.db.test.ts).
 * @param workspaceId and name: columns or parameters
 */
export const namesOfCustomer = (workspaceId: string, name: string): string => `
  select ${name}
  union all
  select n.name from (
    select name, workspace_id from customer_names where customer_id = (
      select k.customer_id from customer_names k where k.workspace_id = ${workspaceId} and k.name = ${name}
    ) offset 0
  ) n where n.workspace_id = ${workspaceId}`;

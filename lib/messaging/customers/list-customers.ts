// The list of customers, newest first, and its search. A customer has a row for each name in `customer_names`; the one that was
// seen last represents them. Every statement reads a limited number of rows, whatever the planner believes.
import { queryRows } from '#lib/core/db/client.ts';
import { type SQL, sql } from 'drizzle-orm';
import { HIGHEST_ID, isId } from '#lib/core/ids.ts';
import { invalidCursor, type PageInput } from '#lib/core/db/paging.ts';
import type { Context } from '#lib/identity/context.ts';
import { findCustomerRows } from './customer-rows.ts';
import type { CustomerRow } from './customer-rows.ts';
import { END_DIGITS, endOfPrefix, readSearchTerm, type SearchTerm } from './search-term.ts';

export interface ListCustomersInput extends PageInput {
  /** A number in any spelling, a user id, the id of a message, or a part of a profile name. */
  search?: string | undefined;
  /** The reader never sees a customer's number in full: only its last four digits can be found. */
  hidesNumbers: boolean;
}

export interface CustomersPage {
  data: CustomerRow[];
  next_cursor: string | null;
  /** Not null: all customers who were seen since then (ISO 8601) were searched, and `next_cursor` continues there. */
  searched_to: string | null;
}

/** Names that a page without a search reads for each customer: most have one or two. */
const NAMES_PER_CUSTOMER = 2;
/** Names that one request of a search reads: few enough that an index is cheaper than the table to every planner. */
const SCANNED_NAMES = 300;
/** Numbers that end with the same four digits, of which some end with more. */
const MAX_SAME_END = 1000;
/** Found at once by an index; beyond it, the search goes through all names in the order of the list. */
const MAX_DIRECT = 50;

/** The workspace's customers, those first of whom something was reported, or who were sent something, last: to the hour. */
export async function listCustomers(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { search = '', limit, cursor, hidesNumbers }: ListCustomersInput,
): Promise<CustomersPage> {
  const before = readPlace(cursor);
  if (search.trim() === '') return readPage(ctx, { limit, before, rows: NAMES_PER_CUSTOMER * limit + 1 });
  const term = readSearchTerm(search, hidesNumbers);
  if (!term) return { data: [], next_cursor: null, searched_to: null };
  const condition = { term, hidesNumbers };
  const direct = await findDirect(ctx, condition);
  const isComplete = direct.length <= MAX_DIRECT;
  if (isComplete && (term.kind !== 'name' || before === undefined)) {
    const found = before === undefined ? await findCustomerRows(ctx, direct) : [];
    if (term.kind !== 'name') return { data: found, next_cursor: null, searched_to: null };
    const rest = await readPage(ctx, {
      limit,
      before,
      rows: SCANNED_NAMES,
      holds: holdsLater(condition),
      hasEnd: true,
    });
    return { ...rest, data: [...found, ...rest.data] };
  }
  return readPage(ctx, {
    limit,
    before,
    rows: SCANNED_NAMES,
    holds: isComplete ? holdsLater(condition) : holds(condition),
    hasEnd: true,
  });
}

interface Place {
  seenAt: Date;
  customerId: string;
}

const toCursor = ({ seenAt, customerId }: Place): string =>
  Buffer.from(`${seenAt.getTime()} ${customerId}`, 'latin1').toString('base64url');

/** @throws AppError `invalid_request` */
function readPlace(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [ms = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (/^\d{1,15}$/.test(ms) && isId(id)) return { seenAt: new Date(Number(ms)), customerId: id };
  throw invalidCursor();
}

interface PageRequest {
  limit: number;
  before: Place | undefined;
  /** Names to read at most, but for those that are seen at the same time under the same customer. */
  rows: number;
  /** SQL: whether the customer of the row `s` matches. */
  holds?: SQL;
  /** Whether to say how far back it was searched. */
  hasEnd?: boolean;
}

interface ScannedRow {
  customerId: string;
  seenAt: Date;
  isHit: boolean;
}

/**
 * Key and order are compared together, as in lib/core/db/paging.ts. All names of a customer that were seen at the same time are read
 * together, so that the one that represents the customer is among them.
 */
async function readPage(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { limit, before, rows, holds: condition = sql`true`, hasEnd = false }: PageRequest,
): Promise<CustomersPage> {
  const seenAt = before?.seenAt.toISOString() ?? 'infinity';
  const scanned = await queryRows<ScannedRow>(
    ctx.db,
    sql`
with scanned as materialized (
  select n.customer_id, n.seen_at, n.name from customer_names n
  where (n.workspace_id, n.seen_at, n.customer_id) < (${ctx.workspaceId}, ${seenAt}::timestamptz, ${before?.customerId ?? HIGHEST_ID}::uuid)
    and (n.workspace_id, n.seen_at) >= (${ctx.workspaceId}, '-infinity'::timestamptz)
  order by n.workspace_id desc, n.seen_at desc, n.customer_id desc fetch first (${rows}::int) rows with ties
)
select s.customer_id as "customerId", s.seen_at as "seenAt", s.name = (
    select k.name from customer_names k where k.customer_id = s.customer_id order by k.seen_at desc, k.name desc limit 1
  ) and ${condition} as "isHit"
from scanned s order by s.seen_at desc, s.customer_id desc`,
  );
  const hits = scanned.filter(({ isHit }) => isHit);
  const shown = hits.slice(0, limit);
  const found = await findCustomerRows(
    ctx,
    shown.map(({ customerId }) => customerId),
  );
  // Pages are in the order of the hour; what is on one is in the order of the last messages.
  const data = found.toSorted((a, b) => lastAt(b) - lastAt(a));
  const last = shown.at(-1);
  if (hits.length > shown.length && last) return { data, next_cursor: toCursor(last), searched_to: null };
  const end = scanned.length >= rows ? scanned.at(-1) : undefined;
  if (!end) return { data, next_cursor: null, searched_to: null };
  return { data, next_cursor: toCursor(end), searched_to: hasEnd ? end.seenAt.toISOString() : null };
}

const lastAt = ({ lastMessage, seenAt }: CustomerRow): number => (lastMessage?.at ?? seenAt).getTime();

interface Condition {
  term: SearchTerm;
  hidesNumbers: boolean;
}

/** What a reader may find of a profile name: customers may call themselves by their number. */
const shownProfile = (column: string, hidesNumbers: boolean): SQL =>
  sql.raw(
    hidesNumbers
      ? String.raw`regexp_replace(lower(${column}), '\+?\d{5,}(\d{4})', '\1', 'g')`
      : `lower(${column})`,
  );

/** SQL: whether the name `k` matches. */
function matches({ term, hidesNumbers }: Condition): SQL {
  switch (term.kind) {
    case 'id':
      return sql`k.name = ${term.id}`;
    case 'name':
      return sql`strpos(${shownProfile('k.profile_name', hidesNumbers)}, ${term.text}) > 0`;
    case 'number': {
      const { digits, end } = term;
      if (hidesNumbers) return sql`"right"(k.name, ${END_DIGITS}) = ${end}`;
      const isEnd = end.length < END_DIGITS ? sql`false` : sql`"right"(k.name, ${digits.length}) = ${digits}`;
      return sql`(starts_with(k.name, ${digits}) or ${isEnd})`;
    }
  }
}

/** Each customer has few names, which are read by their id. */
const holds = (condition: Condition): SQL => sql`coalesce((
    select true from customer_names k where k.customer_id = s.customer_id and ${matches(condition)} limit 1), false)`;

/** Those that no index finds: with the text not at the beginning of the profile name. */
function holdsLater({ term, hidesNumbers }: Condition): SQL {
  if (term.kind !== 'name') return sql`false`;
  const begins = sql`starts_with(${shownProfile('k.profile_name', hidesNumbers)}, ${term.text})`;
  return sql`${holds({ term, hidesNumbers })} and coalesce((
    select false from customer_names k where k.customer_id = s.customer_id and ${begins} limit 1), true)`;
}

/** Customers that indexes find, by any of their names: one more than `MAX_DIRECT` at most, in the order of the list. */
async function findDirect(ctx: Pick<Context, 'db' | 'workspaceId'>, condition: Condition): Promise<string[]> {
  const names = sql.join(directNames(ctx, condition), sql` union all `);
  const rows = await queryRows<{ id: string }>(
    ctx.db,
    sql`
with found as materialized (${names})
select c.id from (select distinct customer_id as id from found) c
order by (select k.seen_at from customer_names k where k.customer_id = c.id order by k.seen_at desc limit 1) desc, c.id desc
limit ${MAX_DIRECT + 1}`,
  );
  return rows.map(({ id }) => id);
}

/** A number that is searched for without its area is no shorter; a shorter text is rather another number. */
const LEAST_DIGITS = 7;
/** A number has one owner; the end of one may be that of a few. */
const MAX_OWNERS = 5;

/**
 * Whose number a text is, in any spelling; none where it is the end or the beginning of many. For readers who never see numbers in
 * full by the last four digits, as everywhere.
 */
export async function findCustomersByNumber(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  text: string,
  hidesNumbers: boolean,
): Promise<CustomerRow[]> {
  const term = readSearchTerm(text, hidesNumbers);
  if (term?.kind !== 'number' || (!hidesNumbers && term.digits.length < LEAST_DIGITS)) return [];
  const ids = await findDirect(ctx, { term, hidesNumbers });
  return ids.length > MAX_OWNERS ? [] : findCustomerRows(ctx, ids);
}

/** Each name with its customer, several of whose names may be found. */
const DIRECT_NAMES = (MAX_DIRECT + 1) * 3;
/** Longer than any number. */
const MOST_DIGITS = '9'.repeat(16);

function directNames(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  { term, hidesNumbers }: Condition,
): SQL[] {
  const byName = (of: SQL): SQL => sql`
    select k.customer_id from (${of}) sent cross join lateral (
      select customer_id from customer_names where workspace_id = ${workspaceId} and name = sent.name limit 1) k`;
  switch (term.kind) {
    case 'id':
      return [
        byName(sql`select ${term.id}::text as name`),
        byName(
          sql`select recipient as name from sent_messages where workspace_id = ${workspaceId} and message_id = ${term.id}`,
        ),
        byName(
          sql`select customer as name from received_messages where workspace_id = ${workspaceId} and message_id = ${term.id} limit 1`,
        ),
      ];
    case 'name': {
      const begins = sql`starts_with(${shownProfile('profile_name', hidesNumbers)}, ${term.text})`;
      return [
        sql`(select customer_id from (
          select customer_id, profile_name from customer_names
          where workspace_id = ${workspaceId} and profile_name is not null
            and lower(profile_name) ~>=~ ${term.text} and lower(profile_name) ~<~ ${endOfPrefix(term.text)}
          limit ${DIRECT_NAMES}) n where ${begins})`,
      ];
    }
    case 'number': {
      const { digits, end } = term;
      const ofEnd = sql`(select customer_id from (
        select customer_id, name from customer_names
        where workspace_id = ${workspaceId} and "right"(name, 4) = ${end} limit ${MAX_SAME_END}) n
        where ${hidesNumbers} or "right"(name, ${digits.length}) = ${digits})`;
      const ofBeginning = sql`(select customer_id from (
        select customer_id, name from customer_names
        where workspace_id = ${workspaceId} and name >= ${digits} and name <= ${digits + MOST_DIGITS}
        order by workspace_id, name limit ${DIRECT_NAMES}) n where starts_with(name, ${digits}))`;
      return [...(end.length < END_DIGITS ? [] : [ofEnd]), ...(hidesNumbers ? [] : [ofBeginning])];
    }
  }
}

/** The customer who has a name; null: nothing is stored of them. */
export async function findCustomerOf(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  name: string,
): Promise<string | null> {
  const { rows } = await db.$client.query<{ id: string }>(
    'select customer_id as id from customer_names where workspace_id = $1 and name = $2',
    [workspaceId, name],
  );
  return rows[0]?.id ?? null;
}

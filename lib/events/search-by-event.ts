// Searches events, and runs by their event. Unless an operator switched full text on, there is no index over the texts, so that
// rows are read from the newest on, a limited number per request.
import { sql, type SQL } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/client.ts';
import { createdAtMs, HIGHEST_ID, isId, lowestIdAt } from '#lib/core/ids.ts';
import { SECRET_NAME } from '#lib/core/secret-names.ts';
import type { Context } from '#lib/identity/context.ts';
import { isIndexed, listNewest, type NewestInput, newestRows } from '#lib/engine/store/list-newest.ts';
import { eventsWithKey, toSearchKey } from '#lib/engine/store/search-keys.ts';
import { eventsWithWords, toWords } from '#lib/messaging/conversations/received-words.ts';
import { findCustomersByNumber } from '#lib/messaging/customers/list-customers.ts';
import { eventsOfNames, runsOfNames } from '#lib/messaging/customers/runs-of-customer.ts';
import { maskNumbersIn } from '#lib/messaging/mask.ts';
import { cursorAfter, type Page } from '#lib/core/db/paging.ts';
import {
  type FullTextTable,
  type PartPage,
  type ReadPart,
  searchFullText,
} from './full-text/search-full-text.ts';

export interface SearchInput extends NewestInput {
  text?: string | undefined;
  /** The reader never sees a customer's number in full. */
  hidesNumbers: boolean;
}

export interface SearchedPage<Item> extends Page<Item> {
  /** Not null: all rows back to then (ISO 8601) were searched, and `next_cursor` continues there. */
  searched_to: string | null;
  /** Searched with the index of full text, which an operator switched on. */
  full_text: boolean;
}

export interface SearchedTable extends FullTextTable {
  /** The event of a row of this table. */
  eventId: string;
  /** SQL: the row of this table that belongs to the other table's row with an id. */
  idOfOther: (otherId: string, workspaceId: string) => SQL;
  /** SQL: the rows that belong to events, which are given as a query of `event_id`, as the column `id`. */
  idsOfEvents: (events: SQL) => SQL;
  /** SQL: the same of runs, which are given as a query of `id`. */
  idsOfRuns: (runs: SQL) => SQL;
}

/** Found by a key and shown before the others; a page is not longer than it and these. */
const MAX_NAMED = 50;

/** Limits of one request: the first applies to small bodies, the second to large ones. */
interface Bounds {
  rows: number;
  bytes: number;
}

/**
 * Keeps requests below 0.15 s. Measured with bodies of 1 KB: 70 µs a row, 300 µs with masked numbers, and 5 µs where only the
 * state is compared and no body is read.
 */
const STATE_BOUNDS: Bounds = { rows: 2000, bytes: 0 };
const TEXT_BOUNDS: Bounds = { rows: 1000, bytes: 1024 * 1024 };
const MASKED_TEXT_BOUNDS: Bounds = { rows: 300, bytes: 256 * 1024 };

/** Rows of some ids, each of which is looked up by several indexes. */
const AMONG_BOUNDS: Bounds = { rows: 300, bytes: 256 * 1024 };

const boundsOf = (text: TextSearch | undefined, { hidesNumbers, among }: SearchInput): Bounds => {
  if (among) return AMONG_BOUNDS;
  if (!text) return STATE_BOUNDS;
  return hidesNumbers ? MASKED_TEXT_BOUNDS : TEXT_BOUNDS;
};

/**
 * Digits in JSON escapes count as digits; of numbers with nine or more digits, and of user ids, the last four stay, as on
 * screens.
 */
const withoutNumbers = (text: string): string => String.raw`
  regexp_replace(
    regexp_replace(
      regexp_replace(${text}, '\\\\u003(\d)', '\1', 'g'),
      '\m([A-Z]{2}\.(ENT\.)?)[A-Za-z0-9]{4,}([A-Za-z0-9]{4})\M', '\1' || repeat('\\342\\200\\242', 4) || '\3', 'g'),
    '\+?\d{5,}(\d{4})', repeat('\\342\\200\\242', 4) || '\1', 'g')`;

/** The event `of_event` of a row, by its id alone: with a join the planner could read all events. */
const OF_EVENT = sql.raw(`left join lateral (
  select e.id, e.headers, e.body from events e where e.id = s.event_id limit 1) of_event on true`);

interface TextSearch {
  pattern: string;
  /** The text, if it could be an id. */
  id: string | null;
}

/** Header values that could be secrets are not searched, or they could be guessed letter by letter. */
function holdsText({ pattern, id }: TextSearch, { hidesNumbers }: SearchInput): SQL {
  const clean = (text: string): SQL => sql.raw(hidesNumbers ? withoutNumbers(text) : text);
  const headers = sql`(
    select ${clean(`encode(convert_to(string_agg(h.key || ': ' || h.value, E'\\n'), 'UTF8'), 'escape')`)}
    from json_each_text(of_event.headers) h where h.key !~* ${SECRET_NAME.source})`;
  return sql`(${clean("encode(of_event.body, 'escape')")} ~ ${pattern} or ${headers} ~ ${pattern}
    or of_event.id = ${id}::uuid)`;
}

/** Rows are only filtered after the limit of rows to read. */
function searchQuery(
  ctx: Context,
  table: SearchedTable,
  input: SearchInput,
  { text, named }: { text: TextSearch | undefined; named: readonly string[] },
): SQL {
  const { name, alias: a, stateColumn, columns, eventId } = table;
  const read = `${a}.id, ${eventId} as event_id, ${a}.${stateColumn} as state, ${a}.workflow_id`;
  const size = text ? 'coalesce(octet_length(of_event.body), 0)' : '0';
  const most = boundsOf(text, input);
  return sql`
with newest as materialized (
  ${newestRows(ctx, table, input, { columns: read, rows: most.rows + 1 })}
), measured as materialized (
  select s.*, row_number() over from_newest as place, sum(${sql.raw(size)}) over from_newest as bytes
  from newest s ${text ? OF_EVENT : sql.empty()}
  window from_newest as (order by s.id desc rows unbounded preceding)
), scanned as materialized (
  select id, event_id, state, workflow_id from measured where place <= ${most.rows} and (place = 1 or bytes <= ${most.bytes})
), hits as materialized (
  select s.id from scanned s ${text ? OF_EVENT : sql.empty()}
  where (${input.state ?? null}::text is null or s.state = ${input.state ?? null})
    and s.id <> all (${sql.param(named)}::uuid[]) and ${text ? holdsText(text, input) : sql`true`} ${ofScope(table, input)}
  order by s.id desc limit ${input.limit + 1}
)
select (select id from scanned order by id limit 1) as oldest,
  (select count(*) from newest) > (select count(*) from scanned) as goes_on, found.*
from (select 1) as one left join (
  select ${sql.raw(columns)}
  from hits cross join lateral (select * from ${sql.raw(name)} where id = hits.id limit 1) ${sql.raw(a)}
) as found on true
order by found.id desc nulls last`;
}

/** What is not part of the query of `among` some ids. */
function ofScope({ marks }: SearchedTable, { among, workflowId, isMarked }: SearchInput): SQL {
  if (!among) return sql.empty();
  const mark = marks && sql.raw(`(select true from ${marks.name} where ${marks.rowId} = s.id limit 1)`);
  return sql`and (${workflowId ?? null}::uuid is null or s.workflow_id = ${workflowId ?? null})
    and ${isMarked && mark ? mark : sql`true`}`;
}

interface Scan {
  /** Id of the oldest row that was read; null: there was none. */
  oldest: string | null;
  /** There are more rows. */
  goes_on: boolean;
}

/**
 * A page of matching rows, newest first; a text is searched in the body and the headers of the event, ignoring case, and is
 * also compared with the ids of event and run, and with the key of the event. When searching for a text, or for a state without an index, a page may be
 * short, even empty, while `next_cursor` continues it. Readers who never see customers' numbers in full search the masked
 * texts: only the last four digits of a number match, or it could be guessed digit by digit. Editors, who see numbers on the
 * records, search everything.
 */
export async function searchByEvent<Row extends { id: string }, Item>(
  ctx: Context,
  table: SearchedTable,
  input: SearchInput,
  toItem: (row: Row) => Item,
): Promise<SearchedPage<Item>> {
  const text = input.text?.trim() ? input.text.trim() : undefined;
  if (text === undefined && isIndexed(table, input))
    return { ...(await listNewest(ctx, table, input, toItem)), searched_to: null, full_text: false };
  const named = input.among ? [] : await findNamed<Row>(ctx, table, input, text);
  const asked = {
    text: text === undefined ? undefined : { pattern: toTextPattern(text), id: isId(text) ? text : null },
    named: named.map(({ id }) => id),
  };
  const read: ReadPart<Row> = (part) => readPart(ctx, table, { ...input, ...part }, asked);
  const indexed = text === undefined ? undefined : await searchFullText(ctx, table, { ...input, text }, read);
  const { rows, ...end } = indexed ?? (await read({}));
  const first = input.cursor === undefined ? named : [];
  return { data: [...first, ...rows].map(toItem), ...end, full_text: indexed !== undefined };
}

async function readPart<Row extends { id: string }>(
  ctx: Context,
  table: SearchedTable,
  input: SearchInput,
  asked: { text: TextSearch | undefined; named: readonly string[] },
): Promise<PartPage<Row>> {
  const rows = await queryRows<Scan & { id: string | null }>(ctx.db, searchQuery(ctx, table, input, asked));
  const hits = rows.flatMap(({ oldest: _, goes_on: __, ...row }) =>
    row.id === null ? [] : [row as unknown as Row],
  );
  const shown = hits.slice(0, input.limit);
  return { rows: shown, ...endOf(shown, hits.length > shown.length, rows[0]) };
}

function endOf(
  shown: readonly { id: string }[],
  hasMore: boolean,
  scan: Scan | undefined,
): Omit<PartPage<never>, 'rows'> {
  const last = shown.at(-1);
  if (hasMore && last) return { next_cursor: cursorAfter(last.id), searched_to: null };
  if (!scan?.goes_on || scan.oldest === null) return { next_cursor: null, searched_to: null };
  return {
    next_cursor: cursorAfter(scan.oldest),
    searched_to: new Date(createdAtMs(scan.oldest)).toISOString(),
  };
}

/**
 * Rows whose id, or the id of whose event or run, is the text: found regardless of their age. The newest whose event has it as its
 * key; readers who never see customers' numbers find none by them. And the newest of the customer whose number it is, in any spelling, and of
 * messages in which customers wrote all of its words.
 */
async function findNamed<Row>(
  ctx: Context,
  { name, alias, columns, stateColumn, idOfOther, idsOfEvents, idsOfRuns, marks }: SearchedTable,
  { workflowId, state, isMarked, hidesNumbers, fromMs = 0, toMs }: SearchInput,
  text: string | undefined,
): Promise<Row[]> {
  if (text === undefined) return [];
  const ids: SQL[] = [];
  const [from, below] = [lowestIdAt(fromMs), toMs === undefined ? HIGHEST_ID : lowestIdAt(toMs)];
  const within = (rows: SQL): SQL =>
    sql`select id from (${rows}) keyed where id >= ${from}::uuid and id < ${below}::uuid`;
  if (isId(text))
    ids.push(sql`select unnest(array[${text}::uuid, (${idOfOther(text, ctx.workspaceId)})]) as id`);
  const key = hidesNumbers && maskNumbersIn(text) !== text ? undefined : toSearchKey(text);
  if (key !== undefined) ids.push(within(idsOfEvents(eventsWithKey(ctx.workspaceId, key))));
  for (const { names } of await findCustomersByNumber(ctx, text, hidesNumbers))
    ids.push(
      within(idsOfRuns(runsOfNames(ctx, names)({ from, below, rows: MAX_NAMED }))),
      within(idsOfEvents(eventsOfNames(ctx, names, { fromMs, toMs, rows: MAX_NAMED }))),
    );
  const words = findableWords(text, hidesNumbers);
  if (words.length > 0)
    ids.push(
      within(
        idsOfEvents(eventsWithWords({ workspaceId: ctx.workspaceId, words, fromMs, toMs, rows: MAX_NAMED })),
      ),
    );
  if (ids.length === 0) return [];
  const a = sql.raw(alias);
  const mark =
    isMarked && marks
      ? sql.raw(`and (select true from ${marks.name} where ${marks.rowId} = ${alias}.id limit 1)`)
      : sql.empty();
  return queryRows<Row & object>(
    ctx.db,
    sql`
select ${sql.raw(columns)} from (${sql.join(ids, sql` union `)}) named
  cross join lateral (select * from ${sql.raw(name)} where id = named.id limit 1) ${a}
where ${a}.workspace_id = ${ctx.workspaceId} and (${workflowId ?? null}::uuid is null or ${a}.workflow_id = ${workflowId ?? null})
  and (${state ?? null}::text is null or ${a}.${sql.raw(stateColumn)} = ${state ?? null}) ${mark}
order by ${a}.id desc limit ${MAX_NAMED}`,
  );
}

/** More could be a number that is written in a text. */
const MAX_SHOWN_DIGITS = 4;

/** The words of a search by which messages of customers are found. For readers who never see numbers in full: none with many digits. */
function findableWords(text: string, hidesNumbers: boolean): string[] {
  const words = toWords(text);
  const hasNumber = words.join('').replace(/\P{N}/gu, '').length > MAX_SHOWN_DIGITS;
  return hidesNumbers && hasNumber ? [] : words;
}

// Bodies are stored byte for byte, so that a text has many spellings: raw UTF-8 or JSON escapes, any case, any space around
// JSON punctuation. PostgreSQL's `encode(body, 'escape')` never fails: ASCII stays, a backslash is doubled, other bytes
// become \nnn. These patterns match that form.

const WORD = /^[0-9a-z]$/i;
/** JSON's spaces; other spaces are ordinary characters. */
const SPACE = /^[ \t\r\n]+$/;
/** Punctuation that JSON may surround with spaces. */
const JSON_MARK = /^[:,[\]{}]$/;
const SHORT_ESCAPES = new Set(['"', '\\', '/']);
/** One backslash in the bytes, as a pattern: `encode` doubles it, and the pattern escapes both. */
const BACKSLASH = String.raw`\\\\`;

/** A case-sensitive PostgreSQL regular expression for a text in an event's encoded bytes. */
export function toTextPattern(text: string): string {
  const parts = text.trim().match(/[ \t\r\n]*[:,[\]{}][ \t\r\n]*|[ \t\r\n]+|[^]/gu) ?? [];
  return parts.map(toPart).join('');
}

function toPart(part: string): string {
  if (SPACE.test(part)) return String.raw`\s+`;
  const mark = part.trim();
  if (JSON_MARK.test(mark)) return String.raw`\s*${spellings(mark)}\s*`;
  return spellings(part);
}

/** All spellings of a character. */
function spellings(character: string): string {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  const all = [...cases].flatMap((each) => (WORD.test(each) ? [each] : [rawBytes(each), ...escapes(each)]));
  return all.length === 1 ? all.join('') : `(?:${all.join('|')})`;
}

const rawBytes = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const octal = byte.toString(8).padStart(3, '0');
      if (byte === 0 || byte > 0x7f) return String.raw`\\${octal}`;
      const character = String.fromCharCode(byte);
      if (character === '\\') return BACKSLASH;
      return WORD.test(character) ? character : `\\${character}`;
    })
    .join('');

/** JSON escapes: \u00e9, and \" for a quote. */
function escapes(text: string): string[] {
  const units = Array.from({ length: text.length }, (_, index) => {
    const hex = text.charCodeAt(index).toString(16).padStart(4, '0');
    return `${BACKSLASH}u${hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
  });
  return SHORT_ESCAPES.has(text) ? [units.join(''), BACKSLASH + rawBytes(text)] : [units.join('')];
}

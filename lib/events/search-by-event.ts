// Events are searched by their text, and runs by the text of their event: one statement for both. No index holds the
// texts (it would cost every request that arrives), so rows are read from the newest on, and a request reads so many.
import type { Context } from '#lib/workspaces/context.ts';
import { isId, madeAtMs } from '#lib/ids.ts';
import {
  isIndexed,
  listNewest,
  type NewestInput,
  newestQuery,
  type NewestTable,
  newestValues,
} from '#lib/workspaces/list-newest.ts';
import { cursorAfter, type Page } from '#lib/workspaces/paging.ts';
import { SECRET_NAME } from './mask-headers.ts';
import { toTextPattern } from './text-pattern.ts';

export interface SearchInput extends NewestInput {
  text?: string | undefined;
  /** Who searches is never shown a customer's number in full. */
  hidesNumbers: boolean;
}

export interface SearchedPage<Item> extends Page<Item> {
  /** Not null: it has looked at all rows back to then (ISO 8601), and `next_cursor` goes on with it. */
  searched_to: string | null;
}

export interface SearchedTable extends NewestTable {
  /** The event of a row of this table. */
  eventId: string;
  /** The row of this table that belongs to the other table's row `$1`. */
  idOfOther: string;
}

/**
 * Bounds of one request: small bodies are stopped by the first, large ones by the second. Measured in 400,000 events of
 * 1 KB in 20 workflows: 70 µs a row, 300 µs where numbers are taken out, and 0.1 s to find the rows.
 */
const MAX_ROWS = 2000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Digits that JSON wrote as escapes count as digits; of nine digits and more the last four are left, as on screens. */
const withoutNumbers = (text: string): string => String.raw`
  regexp_replace(regexp_replace(${text}, '\\\\u003(\d)', '\1', 'g'), '\+?\d{5,}(\d{4})', repeat('\\342\\200\\242', 4) || '\1', 'g')`;

/** Values of headers that could be secrets are not searched, or they could be guessed letter by letter. */
const HEADERS = `(
  select encode(convert_to(string_agg(h.key || ': ' || h.value, E'\\n'), 'UTF8'), 'escape')
  from json_each_text(of_event.headers) h where h.key !~* $12)`;

const holdsText = (clean: (text: string) => string): string =>
  `(${clean("encode(of_event.body, 'escape')")} ~ $8 or ${clean(HEADERS)} ~ $8 or of_event.id = $11)`;

function searchQuery(table: SearchedTable, input: SearchInput): string {
  const { name, alias: a, stateColumn, columns, eventId } = table;
  const text = input.hidesNumbers ? holdsText(withoutNumbers) : holdsText((shown) => shown);
  return `
with newest as materialized (
  ${newestQuery(table, { ...input, columns: `${a}.id`, anyState: true })}
), measured as materialized (
  select ${a}.id, ${eventId} as event_id, row_number() over from_newest as place,
    sum(coalesce(octet_length(of_event.body), 0)) over from_newest as bytes
  from newest join ${name} ${a} on ${a}.id = newest.id left join events of_event on of_event.id = ${eventId}
  window from_newest as (order by ${a}.id desc rows unbounded preceding)
), scanned as materialized (
  select id, event_id from measured where place < $3 and (place = 1 or bytes <= $9)
), hits as materialized (
  select s.id from scanned s join ${name} ${a} on ${a}.id = s.id left join events of_event on of_event.id = s.event_id
  where ($6::text is null or ${a}.${stateColumn} = $6) and s.id <> all ($10::uuid[]) and ($8::text is null or ${text})
  order by s.id desc limit $7
)
select (select id from scanned order by id limit 1) as oldest, (select count(*) from newest) > (select count(*) from scanned) as goes_on, found.*
from (select 1) as one left join (
  select ${columns} from hits join ${name} ${a} on ${a}.id = hits.id
) as found on true
order by found.id desc nulls last`;
}

interface Scan {
  /** Id of the oldest row that was looked at; null: there was none. */
  oldest: string | null;
  /** There are more. */
  goes_on: boolean;
}

/**
 * A page of the rows that match, newest first; a text is looked for in the body and the headers of the event,
 * whatever its case, and is also taken for the id of an event or a run.
 *
 * Who is never shown customers' numbers in full searches what they are shown: of a number its last four digits are
 * found, and nothing of the rest, or it could be guessed digit by digit. Editors, who see numbers on the records,
 * search all.
 */
export async function searchByEvent<Row extends { id: string }, Item>(
  ctx: Context,
  table: SearchedTable,
  input: SearchInput,
  toItem: (row: Row) => Item,
): Promise<SearchedPage<Item>> {
  const text = input.text?.trim() ? input.text.trim() : undefined;
  if (text === undefined && isIndexed(table, input.state))
    return { ...(await listNewest(ctx, table, input, toItem)), searched_to: null };
  const named = await findNamed<Row>(ctx, table, input, text);
  const { rows } = await ctx.db.$client.query<Scan & { id: string | null }>(searchQuery(table, input), [
    ...newestValues(ctx, input, MAX_ROWS + 1),
    input.limit + 1,
    text === undefined ? null : toTextPattern(text),
    MAX_BYTES,
    named.map(({ id }) => id),
    text !== undefined && isId(text) ? text : null,
    SECRET_NAME.source,
  ]);
  const hits = rows.flatMap(({ oldest: _, goes_on: __, ...row }) =>
    row.id === null ? [] : [row as unknown as Row],
  );
  const shown = hits.slice(0, input.limit);
  const first = input.cursor === undefined ? named : [];
  return { data: [...first, ...shown].map(toItem), ...endOf(shown, hits.length > shown.length, rows[0]) };
}

function endOf(
  shown: readonly { id: string }[],
  hasMore: boolean,
  scan: Scan | undefined,
): Omit<SearchedPage<never>, 'data'> {
  const last = shown.at(-1);
  if (hasMore && last) return { next_cursor: cursorAfter(last.id), searched_to: null };
  if (!scan?.goes_on || scan.oldest === null) return { next_cursor: null, searched_to: null };
  return {
    next_cursor: cursorAfter(scan.oldest),
    searched_to: new Date(madeAtMs(scan.oldest)).toISOString(),
  };
}

/** Rows whose id, or the id of whose event or run, is the text: they are found however old they are. */
async function findNamed<Row>(
  ctx: Context,
  { name, alias: a, columns, stateColumn, idOfOther }: SearchedTable,
  { workflowId, state }: SearchInput,
  text: string | undefined,
): Promise<Row[]> {
  if (text === undefined || !isId(text)) return [];
  const { rows } = await ctx.db.$client.query<Row & object>(
    `select ${columns} from ${name} ${a}
    where ${a}.workspace_id = $2 and ${a}.id in ($1::uuid, (${idOfOther}))
      and ($3::uuid is null or ${a}.workflow_id = $3) and ($4::text is null or ${a}.${stateColumn} = $4)`,
    [text, ctx.workspaceId, workflowId ?? null, state ?? null],
  );
  return rows;
}

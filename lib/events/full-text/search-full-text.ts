// A page of a search where full text is on: indexed time by the index, the rest as everywhere.
import { type SQL, sql } from 'drizzle-orm';
import { cursorAfter, readCursor } from '#lib/core/db/paging.ts';
import { createdAtMs, lowestIdAt } from '#lib/core/ids.ts';
import type { ListIds, NewestInput, NewestTable } from '#lib/engine/store/list-newest.ts';
import type { Context } from '#lib/identity/context.ts';
import {
  type Asked,
  askFor,
  findDocuments,
  listSpans,
  ReplacedSegmentError,
  type SpanSegment,
} from './find-documents.ts';
import { gramsOfSearch, hashProperty } from './grams.ts';

/** As many as one part of a search reads. */
const DOCUMENTS_A_PART = 300;
/** Keeps a request short where many have the parts of the words, but not the text. */
const MAX_PARTS = 3;
/** Eight million events. */
const MAX_SEGMENTS = 1024;
/** A run is created with its event, but a moment later, so that within this time runs may have another order than their events. */
const RUN_AFTER_EVENT_MS = 1000;
/** Of ids. */
const END_MS = 2 ** 48 - 1;

interface TextInput extends NewestInput {
  text: string;
  /** The reader never sees a customer's number in full. */
  hidesNumbers: boolean;
}

export interface FullTextTable extends NewestTable {
  /** SQL: the rows that belong to documents of the index (events, and runs that were started later for one), as the column `id`. */
  idsOfDocuments: (ids: readonly string[]) => SQL;
}

/** What was found in some of the rows. */
export interface PartPage<Row> {
  rows: Row[];
  next_cursor: string | null;
  /** As of the page of the search. */
  searched_to: string | null;
}

/** Reads a part of what is searched, and compares it with the text. */
export type ReadPart<Row> = (
  part: Partial<Pick<NewestInput, 'limit' | 'fromMs' | 'toMs' | 'among'>>,
) => Promise<PartPage<Row>>;

const MAX_TRIES = 3;

/** @returns undefined where the index cannot be used: full text is off, or the text is too short */
export async function searchFullText<Row extends { id: string }>(
  ctx: Context,
  table: FullTextTable,
  input: TextInput,
  read: ReadPart<Row>,
): Promise<PartPage<Row> | undefined> {
  const grams = gramsOfSearch(input.text);
  if (input.among || grams.length === 0) return undefined;
  const asked = askFor(grams, propertiesOf(table, input), input.hidesNumbers);
  for (let tries = 0; tries < MAX_TRIES; tries += 1)
    try {
      return await searchSpans(ctx, { table, input, asked, read });
    } catch (error) {
      if (!(error instanceof ReplacedSegmentError)) throw error;
    }
  return undefined;
}

interface SpanSearch<Row> {
  table: FullTextTable;
  input: TextInput;
  asked: Asked;
  read: ReadPart<Row>;
}

async function searchSpans<Row extends { id: string }>(
  ctx: Context,
  { table, input, asked, read }: SpanSearch<Row>,
): Promise<PartPage<Row> | undefined> {
  const slackMs = table.name === 'events' ? 1 : RUN_AFTER_EVENT_MS;
  const seenMs = createdAtMs(readCursor(input.cursor)) + slackMs;
  const end = {
    fromMs: Math.max(0, (input.fromMs ?? 0) - slackMs),
    toMs: Math.min(input.toMs ?? seenMs, seenMs),
  };
  const spans = await listSpans(ctx.db.$client, ctx.workspaceId, end);
  if (!spans) return undefined;
  const page = new PageBuilder(input, read);
  for (const span of spans) {
    const isOpen =
      span.kind === 'scan'
        ? await page.add({ fromMs: span.fromMs, toMs: span.toMs + slackMs })
        : await addIndexed(ctx, page, { table, segments: span.segments, asked, slackMs });
    if (!isOpen) break;
  }
  return page.result();
}

/** What is never changed, by which the index knows fewer events. */
const propertiesOf = ({ stateColumn }: FullTextTable, { workflowId, state }: TextInput): number[] => [
  ...(workflowId === undefined ? [] : [hashProperty('workflow', workflowId)]),
  ...(stateColumn === 'outcome' && state !== undefined ? [hashProperty('outcome', state)] : []),
];

interface IndexedPart {
  table: FullTextTable;
  segments: readonly SpanSegment[];
  asked: Asked;
  slackMs: number;
}

/** Reads what the index found in some segments. @returns whether the page has room, and the request time for more */
async function addIndexed<Row extends { id: string }>(
  ctx: Context,
  page: PageBuilder<Row>,
  { table, segments, asked, slackMs }: IndexedPart,
): Promise<boolean> {
  const taken = segments.slice(0, MAX_SEGMENTS);
  const oldest = taken.at(-1)?.fromMs ?? 0;
  // What is before may be read as if there were no index, by the times of rows.
  const end = oldest === 0 ? 0 : oldest + slackMs;
  let [found, toMs]: [string[], number] = [[], segments[0]?.toMs ?? 0];
  for await (const { ids, searchedMs } of findDocuments(ctx.db.$client, taken, asked)) {
    found.push(...ids);
    const isLast = searchedMs <= oldest;
    // Rows of the last moment may have others before them that are not found yet.
    const fromMs = isLast ? end : searchedMs + slackMs;
    if (!isLast && (found.length < DOCUMENTS_A_PART || fromMs > createdAtMs(found[0] ?? ''))) continue;
    if (!(await page.add({ fromMs, toMs, among: idsAmong(table, found) }))) return false;
    if (!isLast && !page.hasTime) return page.stopAt(fromMs);
    found = found.filter((id) => createdAtMs(id) < fromMs);
    toMs = fromMs;
  }
  return segments.length === taken.length || page.stopAt(end);
}

const idsAmong =
  (table: FullTextTable, documents: readonly string[]): ListIds =>
  ({ from, below, rows }) =>
    sql`select id from (${table.idsOfDocuments(documents)}) found
      where id >= ${from}::uuid and id < ${below}::uuid order by id desc limit ${rows}`;

/** Collects rows until the page is full. */
class PageBuilder<Row extends { id: string }> {
  readonly #input: TextInput;
  readonly #read: ReadPart<Row>;
  readonly #rows: Row[] = [];
  #end: Omit<PartPage<Row>, 'rows'> = { next_cursor: null, searched_to: null };
  #parts = 0;

  constructor(input: TextInput, read: ReadPart<Row>) {
    this.#input = input;
    this.#read = read;
  }

  get hasTime(): boolean {
    return this.#parts < MAX_PARTS;
  }

  /** Reads a part. @returns whether the page has room, and the part was read to its end */
  async add({ fromMs, toMs, among }: { fromMs: number; toMs: number; among?: ListIds }): Promise<boolean> {
    const last = this.#rows.at(-1);
    if (last && this.#rows.length >= this.#input.limit) {
      this.#end = { next_cursor: cursorAfter(last.id), searched_to: null };
      return false;
    }
    const { rows, ...end } = await this.#read({
      limit: this.#input.limit - this.#rows.length,
      fromMs: Math.max(fromMs, this.#input.fromMs ?? 0),
      toMs: Math.min(toMs, this.#input.toMs ?? toMs, END_MS),
      ...(among && { among }),
    });
    if (among) this.#parts += 1;
    this.#rows.push(...rows);
    this.#end = end;
    return end.next_cursor === null;
  }

  /** Ends the page: all rows from this instant on were searched. */
  stopAt(fromMs: number): false {
    const searchedTo = new Date(fromMs).toISOString();
    this.#end = { next_cursor: cursorAfter(lowestIdAt(fromMs)), searched_to: searchedTo };
    return false;
  }

  result(): PartPage<Row> {
    return { rows: this.#rows, ...this.#end };
  }
}

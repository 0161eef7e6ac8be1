// Lists are read by an index over ids (newest first); time bounds and a text to look for are applied on the way.
import { type Page, type PageInput, toPage } from '#lib/workspaces/paging.ts';
import type { TimeRange } from './time-range.ts';

export interface Scan<Item> {
  list: (page: PageInput) => Promise<Page<Item>>;
  /** ISO 8601: when the item was made, by which its id sorts. */
  timeOf: (item: Item) => string;
  /** Null: everything matches. Costs a look at the event's body. */
  matches: ((item: Item) => Promise<boolean>) | null;
  range: TimeRange;
  limit: number;
  cursor?: string | undefined;
}

export interface ScannedPage<Item> extends Page<Item> {
  /** Not null: the search stopped there for now, and `next_cursor` goes on with it. ISO 8601. */
  searched_to: string | null;
}

const SCAN_PAGE = 100;
/** Items whose bodies one request looks at before it answers with what it has. */
const MAX_SCANNED = 400;
const AT_ONCE = 8;

/** Reads up to `limit` matching items. */
export async function scanPages<Item extends { id: string }>(scan: Scan<Item>): Promise<ScannedPage<Item>> {
  const { range, limit, matches } = scan;
  const found: Item[] = [];
  let cursor = scan.cursor ?? (range.toMs === undefined ? undefined : cursorAt(range.toMs));
  for (let scanned = 0; ;) {
    const page = await scan.list({ limit: matches ? SCAN_PAGE : limit, cursor });
    const recent = page.data.filter((item) => isAfter(scan.timeOf(item), range.fromMs));
    const isOver = recent.length < page.data.length || page.next_cursor === null;
    const hits = matches ? await filterAtOnce(recent, matches) : recent;
    for (const item of hits) {
      if (found.length === limit) return { data: found, next_cursor: cursorAfter(found), searched_to: null };
      found.push(item);
    }
    if (isOver) return { data: found, next_cursor: null, searched_to: null };
    cursor = page.next_cursor ?? undefined;
    if (found.length === limit) return { data: found, next_cursor: page.next_cursor, searched_to: null };
    scanned += page.data.length;
    const last = page.data.at(-1);
    if (scanned >= MAX_SCANNED && last)
      return { data: found, next_cursor: page.next_cursor, searched_to: scan.timeOf(last) };
  }
}

const isAfter = (at: string, fromMs: number | undefined): boolean =>
  fromMs === undefined || Date.parse(at) >= fromMs;

async function filterAtOnce<Item>(
  items: readonly Item[],
  matches: (item: Item) => Promise<boolean>,
): Promise<Item[]> {
  const hits: Item[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const group = items.slice(start, start + AT_ONCE);
    const results = await Promise.all(group.map(matches));
    hits.push(...group.filter((_, index) => results[index]));
  }
  return hits;
}

/** The cursor of the page after the last of these. */
function cursorAfter(items: readonly { id: string }[]): string | null {
  const last = items.at(-1);
  return last ? toPage([last, last], 1, (row) => row).next_cursor : null;
}

/** The cursor of the page that starts at an instant: ids of version 7 begin with their milliseconds. */
function cursorAt(atMs: number): string | undefined {
  const hex = Math.max(0, Math.floor(atMs)).toString(16).padStart(12, '0');
  return cursorAfter([{ id: `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000` }]) ?? undefined;
}

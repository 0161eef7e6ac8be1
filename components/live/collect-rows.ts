import { fetchJson } from './fetch-json.ts';
import type { ListPage } from '#lib/screens/list-types.ts';

const ROWS_A_PAGE = '100';

/** Finds all matching rows, over all pages. @param found called with their number so far */
export async function collectRows<Row extends { id: string }>(
  path: string,
  query: URLSearchParams,
  isWanted: (row: Row) => boolean,
  found: (count: number) => void,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  const params = new URLSearchParams(query);
  params.set('limit', ROWS_A_PAGE);
  for (let cursor: string | null = ''; cursor !== null;) {
    if (cursor) params.set('cursor', cursor);
    const page: ListPage<Row> = await fetchJson(`${path}?${params.toString()}`, signal);
    rows.push(...page.data.filter(isWanted));
    found(rows.length);
    cursor = page.next_cursor;
  }
  return rows;
}

import { fetchJson } from './fetch-json.ts';
import type { ListPage } from '#lib/screens/list-types.ts';

const IDS_A_PAGE = '100';

/** Finds the ids of everything that matches, over all pages. @param found told how many there are by now */
export async function collectIds<Row extends { id: string }>(
  path: string,
  query: URLSearchParams,
  isWanted: (row: Row) => boolean,
  found: (count: number) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  const params = new URLSearchParams(query);
  params.set('limit', IDS_A_PAGE);
  for (let cursor: string | null = ''; cursor !== null;) {
    if (cursor) params.set('cursor', cursor);
    const page: ListPage<Row> = await fetchJson(`${path}?${params.toString()}`, signal);
    for (const row of page.data) if (isWanted(row)) ids.push(row.id);
    found(ids.length);
    cursor = page.next_cursor;
  }
  return ids;
}

import { isJsonObject, type JsonObject } from '#lib/core/json/value.ts';
import { callGraph, type GraphAccess, type GraphCall, lostAnswer } from './graph.ts';

/** A list that never ends would be read for ever. */
const MAX_PAGES = 200;

/**
 * The items of a list over all its pages, one after the other; a page is fetched when it is needed. The last page is
 * the one without `paging.next`: a cursor is there even on it.
 * @throws PlatformError
 */
export async function* readPages(
  access: GraphAccess,
  call: Omit<GraphCall, 'method'>,
): AsyncGenerator<JsonObject> {
  let query = call.query ?? {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await callGraph(access, { ...call, method: 'GET', query });
    if (!Array.isArray(answer['data'])) throw lostAnswer(200, 'Its answer has no list.');
    yield* answer['data'].filter(isJsonObject);
    const after = nextCursor(answer);
    if (after === undefined) return;
    query = { ...query, after };
  }
}

/** Everything of a list. @throws PlatformError */
export async function readAll(access: GraphAccess, call: Omit<GraphCall, 'method'>): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for await (const item of readPages(access, call)) items.push(item);
  return items;
}

function nextCursor({ paging }: JsonObject): string | undefined {
  if (!isJsonObject(paging) || typeof paging['next'] !== 'string') return undefined;
  const cursors = isJsonObject(paging['cursors']) ? paging['cursors'] : {};
  const after = cursors['after'] ?? URL.parse(paging['next'])?.searchParams.get('after');
  return typeof after === 'string' && after !== '' ? after : undefined;
}

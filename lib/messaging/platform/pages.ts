import type * as z from 'zod';
import { objectOf, words } from '#lib/messaging/platform-fields.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import { callGraph, type GraphAccess, type GraphCall, lostAnswer } from './graph.ts';

/** A list that never ends would be read for ever. */
const MAX_PAGES = 200;

const pageSchema = objectOf({ paging: objectOf({ next: words, cursors: objectOf({ after: words }) }) });

/**
 * The items of a list over all its pages, one after the other; a page is fetched when it is needed. The last page is
 * the one without `paging.next`: a cursor is there even on it.
 * @throws PlatformError
 */
export async function* readPages<Item>(
  access: GraphAccess,
  call: Omit<GraphCall, 'method'>,
  item: z.ZodType<Item>,
): AsyncGenerator<Item> {
  let query = call.query ?? {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await callGraph(access, { ...call, method: 'GET', query });
    if (!Array.isArray(answer['data'])) throw lostAnswer(200, 'Its response has no list.');
    for (const each of answer['data']) if (isJsonObject(each)) yield item.parse(each);
    const { next, cursors } = pageSchema.parse(answer).paging;
    const after = next && (cursors.after ?? URL.parse(next)?.searchParams.get('after'));
    if (!after) return;
    query = { ...query, after };
  }
}

/** Everything of a list. @throws PlatformError */
export const readAll = <Item>(
  access: GraphAccess,
  call: Omit<GraphCall, 'method'>,
  item: z.ZodType<Item>,
): Promise<Item[]> => Array.fromAsync(readPages(access, call, item));

// Pages of lists, newest first: the cursor is the id of the last row on the page before.
import { AppError } from '#lib/core/errors.ts';
import { HIGHEST_ID, isId } from '#lib/core/ids.ts';

export interface PageInput {
  /** 1 to 100. */
  limit: number;
  /** From the page before. */
  cursor?: string | undefined;
}

export interface Page<Item> {
  data: Item[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** The id that all rows of the page come after. @throws AppError `invalid_request` for an invalid cursor */
export function readCursor(cursor: string | undefined): string {
  if (cursor === undefined) return HIGHEST_ID;
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (isId(id)) return id;
  throw new AppError('invalid_request', 'The cursor is not valid.', {
    problems: [{ path: 'cursor', message: 'Send the next_cursor of the previous page, unchanged.' }],
  });
}

/** Creates a page of up to `limit` rows from the `limit + 1` that were read. */
export function toPage<Row extends { id: string }, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { data: shown.map(toItem), next_cursor: last ? cursorAfter(last.id) : null };
}

/** The cursor of the page that starts below an id. */
export const cursorAfter = (id: string): string => Buffer.from(id, 'latin1').toString('base64url');

// Pages of lists, newest first: the cursor is the id of the last row on the page before, and a page is read by one index.
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { AppError } from '../errors.ts';
import { HIGHEST_ID, isId, LOWEST_ID } from '../ids.ts';

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
  throw invalidCursor();
}

/** The error for a cursor that no page of the list has. */
export const invalidCursor = (cause?: unknown): AppError =>
  new AppError('invalid_request', 'The cursor is not valid.', {
    cause,
    problems: [{ path: 'cursor', message: 'Send the next_cursor of the previous page, unchanged.' }],
  });

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

export interface NewestOf {
  /** Index columns before the id, each with its value. */
  key: readonly (readonly [column: SQLWrapper, value: SQLWrapper | string])[];
  id: SQLWrapper;
  /** Only ids at or above this. */
  from?: SQLWrapper | string;
  /** Only ids below this. */
  below?: SQLWrapper | string;
}

/**
 * The condition and the order of a list that is read newest first by the index over its key and id. Key and id are compared
 * and sorted together, as one row value, because only that index can serve this, whatever the planner's statistics say. With
 * an equality of the key, planners that expect many rows would walk the primary key and filter, which reads the whole table
 * for a quiet workflow. For the same reason no other condition is allowed: further ones go into an index or are checked above
 * a limit. With three columns, the first is compared separately: before PostgreSQL 18 a row value that has the first column of the
 * index does not end the search where its second column ends, so that a value without rows reads the rest of the index.
 */
export function newestOf({ key, id, from = LOWEST_ID, below = HIGHEST_ID }: NewestOf): {
  where: SQL;
  order: SQL;
} {
  const columns = [...key.map(([column]) => column), id];
  const values = key.map(([, value]) => value);
  const row = sql`(${joined(columns)})`;
  return {
    where: sql`${row} < (${joined([...values, below])}) and ${row} >= (${joined([...values, from])})`,
    order: joined(columns.map((column) => sql`${column} desc`)),
  };
}

const joined = (parts: readonly (SQLWrapper | string)[]): SQL =>
  sql.join(
    parts.map((part) => (typeof part === 'string' ? sql`${part}` : part)),
    sql`, `,
  );

import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { HIGHEST_ID, LOWEST_ID } from '#lib/core/ids.ts';

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
 * a limit.
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

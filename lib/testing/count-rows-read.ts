import type { Pool } from '#lib/core/db/client.ts';

const FLUSH = 'select pg_stat_force_next_flush()';
const COUNT = `
select (coalesce((select sum(idx_tup_read) from pg_stat_user_indexes where relname = any($1)), 0)
  + coalesce((select sum(seq_tup_read) from pg_stat_user_tables where relname = any($1)), 0))::int as count`;

/**
 * How many rows of some tables statements have read since the database started. @param pool of one connection, which made these statements
 */
export async function countRowsRead(pool: Pool, tables: readonly string[]): Promise<number> {
  // What was read is counted when the next statement begins.
  await pool.query(FLUSH);
  await pool.query(FLUSH);
  return (await pool.query<{ count: number }>(COUNT, [tables])).rows[0]?.count ?? 0;
}

import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL that removes the oldest rows from a list of pending reports. Concurrent transactions get different rows, and those of a
 * rolled back one stay.
 */
export const takeNoted = (list: 'failed_runs' | 'account_notices', limit: number): SQL => sql`
  delete from ${sql.identifier(list)} where id = any (array(
    select id from ${sql.identifier(list)} order by id limit ${limit} for update skip locked
  ))
  returning *`;

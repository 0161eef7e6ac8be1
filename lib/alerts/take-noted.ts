import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL that takes the oldest rows off a list of what is to be reported. Of two transactions at the same time each gets other
 * rows, and those of one that is rolled back stay.
 */
export const takeNoted = (list: 'failed_runs' | 'account_notices', limit: number): SQL => sql`
  delete from ${sql.identifier(list)} where id = any (array(
    select id from ${sql.identifier(list)} order by id limit ${limit} for update skip locked
  ))
  returning *`;

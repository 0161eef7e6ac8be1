import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { HIGHEST_ID, LOWEST_ID } from '#lib/core/ids.ts';
import { newestOf } from '#lib/identity/paging/newest-of.ts';

const dialect = new PgDialect();

/**
 * `where … order by …` for a workflow's events or runs, newest first; see `newestOf`.
 * @param alias of the table
 * @param workflow SQL of the workflow's id
 * @param bounds SQL of ids
 */
export function newestOfWorkflow(
  alias: 'e' | 'r',
  workflow: string,
  { from = `'${LOWEST_ID}'`, below = `'${HIGHEST_ID}'` }: { from?: string; below?: string } = {},
): string {
  const { where, order } = newestOf({
    key: [[sql.raw(`${alias}.workflow_id`), sql.raw(workflow)]],
    id: sql.raw(`${alias}.id`),
    from: sql.raw(from),
    below: sql.raw(below),
  });
  return dialect.sqlToQuery(sql`where ${where} order by ${order}`).sql;
}

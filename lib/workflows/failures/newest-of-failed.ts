import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { HIGHEST_ID } from '#lib/core/ids.ts';
import { newestOf } from '#lib/identity/paging/newest-of.ts';

/**
 * `where … order by …` for a workflow's failed runs `r`, newest first, by the index over rare states; see `newestOf`.
 * @param workflow SQL of the workflow's id
 * @param bounds SQL of run ids
 */
export function newestOfFailed(
  workflow: string,
  { from, below = `'${HIGHEST_ID}'` }: { from: string; below?: string },
): string {
  const { where, order } = newestOf({
    key: [
      [sql.raw('r.workflow_id'), sql.raw(workflow)],
      [sql.raw('r.rare_status'), sql.raw(`'failed'`)],
    ],
    id: sql.raw('r.id'),
    from: sql.raw(from),
    below: sql.raw(below),
  });
  const query = sql`where ${where} and r.rare_status is not null order by ${order}`;
  return new PgDialect().sqlToQuery(query).sql;
}

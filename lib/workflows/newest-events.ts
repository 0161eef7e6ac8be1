import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { HIGHEST_ID, LOWEST_ID } from '#lib/core/ids.ts';
import { newestOf } from '#lib/core/db/paging.ts';
import type { Context } from '#lib/identity/context.ts';

/** Number of a workflow's newest events that the editor searches for a sample. Retention keeps them. */
export const SAMPLE_EVENTS = 20;

/** At least one of this many is the sender's, unless a member has tested or replayed a lot since. */
const LOOKED_AT = 20;

/**
 * SQL of a value over the newest events of a workflow's sender, without tests and replays. It uses the index over (workflow,
 * id).
 * @param workflow SQL of its id
 * @param value an aggregate of `e.received_at`
 * @param limit number of events to read, of all kinds
 * @param below SQL of an id: only events before it
 */
export const newestFromSender = (
  workflow: string,
  { value, limit, below }: { value: string; limit: number; below?: string },
): string => `
  select ${value}
  from (
    select e.received_at, e.kind, e.replay_of
    from events e ${newestOfWorkflow('e', workflow, below === undefined ? {} : { below })} limit ${limit}
  ) e
  where e.kind <> 'test' and e.replay_of is null`;

/** SQL of the instant, `at`, of the last event of a workflow's sender. */
export const lastFromSender = (workflow: string, below?: string): string =>
  newestFromSender(workflow, {
    value: 'max(e.received_at) as at',
    limit: LOOKED_AT,
    ...(below === undefined ? {} : { below }),
  });

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

const LAST = `
select w.id, w.name, last.at
from workflows w
cross join lateral (${lastFromSender('w.id')}) last
where w.workspace_id = $1 and w.deleted_at is null and w.active and w.published_version is not null and last.at is not null`;

/** Published, active workflows of a workspace with at least one event, by id, with the last one. */
export async function listLastEvents(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
): Promise<Map<string, { name: string; lastAt: Date }>> {
  const { rows } = await ctx.db.$client.query<{ id: string; name: string; at: Date }>(LAST, [
    ctx.workspaceId,
  ]);
  return new Map(rows.map(({ id, name, at }) => [id, { name, lastAt: at }]));
}

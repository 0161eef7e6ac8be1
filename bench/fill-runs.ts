import type { Pool } from '#lib/core/db/client.ts';

/** Of each run. */
export const FILLED_TASK_RUNS = 5;
/** Of each event, 800 bytes. */
export const FILLED_BODY = JSON.stringify({ text: 'x'.repeat(780) });

const CHUNK = 20_000;
const DAY_SECONDS = 86_400;

/** By their order over a span of time. @param runs of all chunks */
const fillSql = (runs: number, { fromDays, days }: Span): string => `
with made as (
  select n, now() - make_interval(secs => ${fromDays * DAY_SECONDS} - n * (${days}.0 * ${DAY_SECONDS} / ${runs})) as at
  from generate_series($1::int, $2::int) n
), ids as (
  select at, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5('r' || n), 1, 3)
      || '8' || substr(md5('r' || n), 4, 15))::uuid as run_id,
    (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5('e' || n), 1, 3)
      || '8' || substr(md5('e' || n), 4, 15))::uuid as event_id
  from made
), new_events as (
  insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
  select event_id, $3, $4, 'production', 'triggered', at, '{"content-type":"application/json"}', $5, run_id from ids
), new_runs as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at, finished_at)
  select run_id, $3, $4, 1, event_id, 'succeeded', at, at from ids
)
insert into task_runs (run_id, task_id, status, run_text, output, started_at, finished_at)
select run_id, task, 'succeeded', 'Done.', '{"text":"' || repeat('y', 200) || '"}', at, at
from ids, generate_series(1, ${FILLED_TASK_RUNS}) task`;

interface Span {
  /** How many days ago it begins; below zero: it is to come. */
  fromDays: number;
  days: number;
}

/** Writes ended runs of a span of time, each with its event and task runs. */
export async function fillRuns(
  pool: Pool,
  { workspaceId, workflowId }: { workspaceId: string; workflowId: string },
  runs: number,
  span: Span,
): Promise<void> {
  const statement = fillSql(runs, span);
  for (let from = 0; from < runs; from += CHUNK)
    await pool.query(statement, [
      from,
      Math.min(runs, from + CHUNK) - 1,
      workspaceId,
      workflowId,
      Buffer.from(FILLED_BODY),
    ]);
}

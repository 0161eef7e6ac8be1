import type { Pool } from '#lib/db/client.ts';
import { parseJson } from '#lib/json/parse-json.ts';
import type { TakenRun } from '../run-state.ts';

/** A process whose heartbeat is older has died: what it held may be taken. */
export const HEARTBEAT_TIMEOUT_SECONDS = 6;

const TAKE = `
update runs r
set status = 'running', epoch = r.epoch + 1, worker_id = $2, resume_at = null,
    started_at = coalesce(r.started_at, now())
from unnest($1::uuid[]) as due(id), events e
where r.id = due.id and e.id = r.event_id and (
  r.status = 'queued'
  or (r.status = 'waiting' and r.resume_at <= now() + interval '20 milliseconds')
  or (r.status = 'running' and not exists (
    select 1 from processes p
    where p.id = r.worker_id and p.id <> $2
      and p.heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds'
  ))
)
returning r.id, r.epoch, r.workspace_id, r.workflow_id, r.version,
  r.awaited and r.answer is null as awaits_answer, convert_from(e.body, 'UTF8') as body, e.headers`;

interface TakenRow {
  id: string;
  epoch: number;
  workspace_id: string;
  workflow_id: string;
  version: number;
  awaits_answer: boolean;
  body: string;
  headers: Record<string, string>;
}

/** See `RunStore.take`. The caller leaves out runs that it holds in memory already. */
export async function takeRuns(pool: Pool, workerId: string, runIds: readonly string[]): Promise<TakenRun[]> {
  const { rows } = await pool.query<TakenRow>({ name: 'take_runs', text: TAKE, values: [runIds, workerId] });
  return rows.map((row) => ({
    id: row.id,
    epoch: row.epoch,
    workspaceId: row.workspace_id,
    workflowId: row.workflow_id,
    version: row.version,
    awaitsAnswer: row.awaits_answer,
    event: { body: parseJson(row.body), headers: row.headers },
  }));
}

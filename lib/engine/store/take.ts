import { LRUCache } from 'lru-cache';
import type { Pool } from '#lib/core/db/client.ts';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { GroupCommit } from '#lib/core/db/group-commit.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { TakenRun } from '../run-state.ts';
import type { RunStore } from '#lib/engine/engine-deps.ts';
import { IS_DUE } from './signal-waits.ts';

/** A process with an older heartbeat has died: what it held may be taken. */
export const HEARTBEAT_TIMEOUT_SECONDS = 6;

/** SQL: nothing has taken the run `r` yet, and it waits for no other. */
export const IS_UNTAKEN = `r.status = 'queued' and r.epoch = 0 and r.line is null`;

const columns = (epoch: string, readAt: string): string => `
r.id, ${epoch} as epoch, ${readAt} as read_at, r.workspace_id, r.workflow_id, r.version, r.event_id,
  e.replay_of is not null as is_replay, r.awaited and r.answer is null as awaits_answer, r.line is not null as is_in_line,
  (select t.zone from workspace_times t where t.workspace_id = r.workspace_id) as zone,
  case when r.id = any($3::uuid[]) then null else convert_from(e.body, 'UTF8') end as body, e.headers`;

/**
 * Runs that nothing has taken yet are only read: their first write takes them, so that taking costs no row and no commit.
 * @param isDue SQL of a further reason why a run is due
 */
const take = (isDue = 'false'): string => `
with taken as (
  update runs r
  set status = 'running', epoch = r.epoch + 1, worker_id = $2, last_statement = $4, resume_at = null,
      started_at = coalesce(r.started_at, now())
  from events e
  where r.id = any($1::uuid[]) and e.id = any(array[r.event_id]) and not (${IS_UNTAKEN})
    and (r.worker_id is distinct from $2 or r.last_statement < $4::bigint) and (
      (r.status = 'queued' and (r.line is null or (
        (r.line = r.workflow_id or exists (select from run_lines l where l.run_id = r.id and l.has_turn))
        and not exists (select from run_gates g where g.run_id = r.id and not g.is_through)
        and not exists (select from workspace_gates g where g.run_id = r.id and not g.is_through)
      )))
      or (r.status = 'waiting' and r.resume_at <= now() + interval '20 milliseconds')
      or (r.status = 'running' and not exists (
        select 1 from processes p
        where p.id = r.worker_id and p.id <> $2
          and p.heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds'
      ))
      or ${isDue}
    )
  returning ${columns('r.epoch', 'null::float8')}
)
select ${columns('1', 'extract(epoch from now())::float8 * 1000')}
from runs r, events e
where r.id = any($1::uuid[]) and e.id = any(array[r.event_id]) and ${IS_UNTAKEN}
union all
select * from taken`;

const TAKE = { name: 'take_runs', text: take() };
const TAKE_SIGNALED = {
  name: 'take_signaled_runs',
  text: take(
    `(r.status = 'waiting' and exists (select from signal_waits w where w.run_id = r.id and w.${IS_DUE}))`,
  ),
};

interface TakenRow {
  id: string;
  epoch: number;
  /** Milliseconds since 1970; null: the statement has taken it. */
  read_at: number | null;
  workspace_id: string;
  workflow_id: string;
  version: number;
  event_id: string;
  is_replay: boolean;
  awaits_answer: boolean;
  is_in_line: boolean;
  /** Null: the workspace set none. */
  zone: string | null;
  /** Null when it is cached. */
  body: string | null;
  headers: Record<string, string>;
}

type Event = TakenRun['event'];

/** Bodies may be megabytes: those of runs that wake repeatedly are not read each time. */
const REMEMBERED = { max: 1000, maxSize: 16 * 1024 * 1024 };

/** Of the runs that one statement takes: each returns its body. */
const MOST_AT_ONCE = 256;

/**
 * See `RunStore.take`. The runs of several jobs are taken by one statement. The caller leaves out runs that it already holds.
 * @param nextNumber see `runs.last_statement`
 */
export function createTaking(pool: Pool, workerId: string, nextNumber: () => number): RunStore['take'] {
  const events = new LRUCache<string, Event>(REMEMBERED);
  const takeBy = async (statement: typeof TAKE, runIds: readonly string[]): Promise<TakenRun[]> => {
    const known = new Map<string, Event>();
    for (const id of runIds) {
      const remembered = events.get(id);
      if (remembered) known.set(id, remembered);
    }
    const values = [runIds, workerId, [...known.keys()], nextNumber()];
    const { rows } = await pool.query<TakenRow>({ ...statement, values });
    return rows.map(({ body, headers, ...row }) => {
      const remembered = known.get(row.id);
      if (remembered) return toTakenRun(row, remembered);
      const { event_id: id, is_replay: isReplay } = row;
      const event = { id, isReplay, body: parseJson(body ?? 'null'), headers };
      if (row.epoch > 1) events.set(row.id, event, { size: (body?.length ?? 0) + 1 });
      return toTakenRun(row, event);
    });
  };
  const inGroups = (statement: typeof TAKE): GroupCommit<readonly string[], TakenRun[]> =>
    new GroupCommit(async (jobs) => share(await takeBy(statement, jobs.flat()), jobs), {
      maxBatch: MOST_AT_ONCE,
      maxWeight: MOST_AT_ONCE,
      weigh: (runIds) => runIds.length,
      lanes: 2,
      splitsFailed: (error) => !isDatabaseUnavailable(error),
    });
  const [unsignaled, signaled] = [inGroups(TAKE), inGroups(TAKE_SIGNALED)];
  return (runIds, areSignaled = false) => (areSignaled ? signaled : unsignaled).add(runIds);
}

/** Gives each job its runs; one that several name is given once. */
function share(taken: readonly TakenRun[], jobs: readonly (readonly string[])[]): TakenRun[][] {
  const left = new Map(taken.map((run) => [run.id, run]));
  return jobs.map((runIds) =>
    runIds.flatMap((id) => {
      const run = left.get(id) ?? [];
      left.delete(id);
      return run;
    }),
  );
}

const toTakenRun = (row: Omit<TakenRow, 'body' | 'headers'>, event: Event): TakenRun => ({
  id: row.id,
  epoch: row.epoch,
  workspaceId: row.workspace_id,
  workflowId: row.workflow_id,
  version: row.version,
  awaitsAnswer: row.awaits_answer,
  zone: row.zone ?? undefined,
  ...(row.is_in_line ? { isInLine: true as const } : {}),
  readAt: row.read_at ?? undefined,
  event,
});

const HELD_UNCLAIMED = `
select exists (
  select from runs r where r.id = any($1::uuid[]) and r.status = 'running' and r.worker_id <> $2
    and not exists (select from run_claims c where c.run_id = r.id and c.worker_id = r.worker_id and c.epoch = r.epoch)
) as held`;

/** See `RunStore.areHeldUnclaimed`. */
export async function areHeldUnclaimed(
  pool: Pool,
  workerId: string,
  runIds: readonly string[],
): Promise<boolean> {
  const values = [runIds, workerId];
  const { rows } = await pool.query<{ held: boolean }>({
    name: 'held_unclaimed',
    text: HELD_UNCLAIMED,
    values,
  });
  return rows[0]?.held === true;
}

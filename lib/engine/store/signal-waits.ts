// Waits for signals: checkpoints write them, workers read them (docs/engine.md, "Signals").
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import { type Column, Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { TakenRun } from '#lib/engine/run-state.ts';
import type { RunWait, TaskRun } from '#lib/engine/run-types.ts';
import { addAdvanceJob } from './advance-job.ts';
import type { SignaledRun } from './deliver-signals.ts';

const TYPES = {
  id: 'uuid',
  run_id: 'uuid',
  workspace_id: 'uuid',
  task_id: 'int',
  iteration: 'text',
  key: 'text',
  rule: 'text',
  quiet_ms: 'int',
  is_closed: 'int',
  is_awaited: 'int',
} as const;

/** A wait is over 20 milliseconds early, as timers of runs are. */
export const IS_DUE = `due_at <= now() + interval '20 milliseconds'`;

/**
 * CTEs after `owned`, the runs of a checkpoint that this worker still holds: replaces their recorded waits by the parameters,
 * and enqueues runs whose waits have received signals. Deliveries change the same rows, so that one of both sees the other.
 * Rows are locked after those of runs, by id. A wait that replaces one whose key was changed in between (`signal-waits.ts`) is
 * opened under the changed key.
 * @param first number of the first parameter
 * @param returning of the waits that end; `returning w.id` lets another CTE wait for their locks
 */
export const replaceWaits = (first: number, returning = ''): string => `wait as (
  select * from ${unnest(TYPES, first)} as t(${namesOf(TYPES)}) where (t.run_id in (select id from owned)) is true
), ended_waits as (
  delete from signal_waits w using owned
  where w.run_id = owned.id and owned.id = any ($${first + Object.keys(TYPES).length}::uuid[])
    and (w.id in (select id from wait)) is not true ${returning}
), closed_waits as (
  update signal_waits w set is_open = false from wait where w.id = wait.id and wait.is_closed = 1 and w.is_open
  returning w.run_id, w.task_id, w.iteration, wait.key as known_key, w.key
), opened_waits as (
  insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
  select id, workspace_id, coalesce((select c.key from closed_waits c where c.run_id = wait.run_id
      and c.task_id = wait.task_id and c.iteration = wait.iteration and c.known_key = wait.key limit 1), key),
    run_id, task_id, iteration, rule, quiet_ms, now(), true from wait where is_closed = 0
  on conflict (id) do nothing
), awaited as (
  select w.run_id, w.due_at from signal_waits w
  where w.id = any(array(select id from wait where is_awaited = 1)) order by w.id for update
), wakes as (
  select count(job) as jobs from (
    select ${addAdvanceJob('json_build_array(run_id)', { runAt: 'due_at', isSignaled: true })} as job from awaited where due_at is not null
  ) as added
)`;

export class WaitColumns {
  readonly #rows = new Columns(TYPES);
  readonly #runIds: string[] = [];

  /** @param waits all waits of the run */
  add({ id: runId, workspaceId }: TakenRun, waits: readonly RunWait[]): void {
    this.#runIds.push(runId);
    for (const { id, taskId, iteration, key, rule, quietMs, isClosed, isAwaited } of waits) {
      const flags = [Number(isClosed === true), Number(isAwaited)];
      this.#rows.add([id, runId, workspaceId, taskId, iteration, key, rule, quietMs, ...flags]);
    }
  }

  get parameters(): (Column | string[])[] {
    return [...this.#rows.parameters, this.#runIds];
  }
}

/** The recorded state of some waits. */
const WAITS = `select id, key, is_open, ${IS_DUE} as is_due from signal_waits where id = any($1::uuid[])`;

interface WaitRow {
  id: string;
  /** Differs from the run's where it was moved. */
  key: string;
  is_open: boolean;
  is_due: boolean | null;
}

/**
 * Updates waiting task runs: under which key they wait, and whether signals have arrived. Free for runs without signal waits.
 */
export async function noteSignals(pool: Pool, taskRuns: readonly TaskRun[]): Promise<void> {
  const waiting = taskRuns.filter(({ wait }) => wait !== undefined);
  if (waiting.length === 0) return;
  const ids = waiting.map(({ wait }) => wait?.id);
  const { rows } = await pool.query<WaitRow>({ name: 'load_waits', text: WAITS, values: [ids] });
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const taskRun of waiting) {
    const found = byId.get(taskRun.wait?.id ?? '');
    if (taskRun.wait && found)
      taskRun.wait = {
        ...taskRun.wait,
        key: found.key,
        ...(found.is_open ? {} : { isClosed: true as const }),
      };
    if (found?.is_due && taskRun.waitingFor === 'signal') taskRun.resumeAt = 0;
  }
}

const SIGNALS = 'select signals from signal_waits where id = $1';

/** See `RunStore.loadSignals`. */
export async function loadSignals(pool: Pool, waitId: string): Promise<JsonValue[]> {
  const values = [waitId];
  const { rows } = await pool.query<{ signals: string[] }>({ name: 'load_signals', text: SIGNALS, values });
  return (rows[0]?.signals ?? []).map((text) => parseJson(text));
}

/** The messaging platform repeats notifications for up to a week. */
const PRUNE = `delete from used_signals where used_at < now() - interval '30 days'`;

/** Deletes signals that will not be repeated any more. */
export async function pruneSignals(pool: Pool): Promise<void> {
  await pool.query(PRUNE);
}

export interface MovedWaits {
  workspaceId: string;
  /** Only keys with this prefix change. */
  prefix: string;
  /** Suffixes of keys, and their replacements. */
  ends: readonly { from: string; to: string }[];
  /** JSON text: the runs get it with the signal that ends their wait. */
  note: string;
}

const OPEN = `
from unnest($3::text[], $4::text[]) as changed(old_end, new_end), signal_waits w
where w.workspace_id = $1 and w.is_open and starts_with(w.key, $2) and right(w.key, length(old_end)) = old_end`;

/**
 * In the order of deliveries: by id. Waits that a checkpoint opens instead of closed ones are found by the next statement.
 */
const LOCK = `select w.id ${OPEN} order by w.id for update of w`;

const MOVE = `
with moved as (
  update signal_waits s set key = left(s.key, -length(m.old_end)) || m.new_end, signals = s.signals || $5::text
  from (select w.id, old_end, new_end ${OPEN}) as m where s.id = m.id and s.is_open
  returning s.run_id
)
select distinct r.id as "runId", r.workflow_id as "workflowId" from runs r
where r.id = any(array(select run_id from moved)) order by r.id`;

/**
 * Moves waits from one key to another, in the sender's transaction: no signal is lost in between. The waits stay open, and no
 * run is woken.
 * @returns the runs whose waits have changed
 */
export async function moveWaits(
  client: Queryable,
  { workspaceId, prefix, ends, note }: MovedWaits,
): Promise<SignaledRun[]> {
  if (ends.length === 0) return [];
  const values = [workspaceId, prefix, ends.map(({ from }) => from), ends.map(({ to }) => to)];
  await client.query({ name: 'lock_moved_waits', text: LOCK, values });
  const { rows } = await client.query<SignaledRun>({
    name: 'move_waits',
    text: MOVE,
    values: [...values, note],
  });
  return rows;
}

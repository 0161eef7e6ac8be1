// The only code that delivers signals. Called for events outside that runs may wait for, in the transaction that records them
// (docs/engine.md, "Signals").
import type { Queryable } from '#lib/core/db/client.ts';
import { isOpenRunSql } from '../run-statuses.ts';
import { addAdvanceJob } from './advance-job.ts';

export interface Signal {
  workspaceId: string;
  /**
   * Keys that runs wait for, such as a customer of a number, under all of its names: a wait for one of them matches; empty:
   * no run can wait.
   */
  keys: readonly string[];
  /** The same for each copy of the signal: only the first one that reaches a wait is used. */
  id: string;
  /** JSON text for the task; read only where a run waits. */
  readonly payload: string;
  /** Only a wait of this task run receives it; left out or null: those that the rule selects. */
  taskRun?: { runId: string; taskId: number; iteration: string } | null | undefined;
}

/** A run's page lists no more. */
const MAX_LISTENERS = 20;

/** The positions of signals that a run waits for. */
const WAITED_FOR = `
select distinct s.place from unnest($1::uuid[], $2::text[], $3::int[]) as s(workspace_id, key, place)
join signal_waits w on w.workspace_id = s.workspace_id and w.key = s.key and w.is_open`;

/**
 * CTEs: the open waits for a key, and those of them that receive its next signal. Among several, the rule of the newest one decides:
 * the newest receives it, the oldest does, or all do. Waits left over from ended runs are ignored.
 * @param isForKey condition on `w`
 */
const choose = (isForKey: string): string => `candidate as (
  select w.id, w.run_id, r.workflow_id, w.rule, row_number() over (order by w.opened_at desc, w.id desc) as from_newest,
    row_number() over (order by w.opened_at, w.id) as from_oldest
  from signal_waits w join runs r on r.id = w.run_id and ${isOpenRunSql('r.status')}
  where ${isForKey} and w.is_open
), chosen as (
  select id from candidate
  where case (select rule from candidate where from_newest = 1)
    when 'all' then true when 'oldest' then from_oldest = 1 else from_newest = 1 end
)`;

/** `candidates` without `reached` means that another signal was faster. */
const DELIVER = `
with ${choose(`w.workspace_id = $1 and w.key = any ($2::text[])
    and ($5::uuid is null or (w.run_id = $5 and w.task_id = $6::int and w.iteration = $7::text))`)}, used as (
  insert into used_signals (workspace_id, id, used_at) select $1, $3, now() where exists (select from chosen)
  on conflict (workspace_id, id) do nothing returning id
), locked as (
  select w.id from signal_waits w where w.id = any(array(select id from chosen)) and w.is_open order by w.id for update
), reached as (
  update signal_waits w set signals = w.signals || $4::text, is_open = w.quiet_ms > 0,
    due_at = now() + make_interval(secs => w.quiet_ms / 1000.0)
  from locked where w.id = locked.id and w.is_open and ($8 or exists (select from used))
  returning w.id, w.run_id, w.due_at
), jobs as (
  select count(job) as jobs from (
    select ${addAdvanceJob('json_build_array(run_id)', { runAt: 'due_at', isSignaled: true })} as job from (select * from reached order by id) as reached
  ) as added
)
select (select count(*) from candidate)::int as candidates, (select count(*) from used)::int as used,
  (select jobs from jobs)::int as jobs,
  array(select json_build_object('runId', r.id, 'workflowId', r.workflow_id)
    from runs r where r.id = any(array(select run_id from reached)) order by r.id) as reached`;

/** A run that continues with a signal. */
export interface SignaledRun {
  runId: string;
  workflowId: string;
}

interface Delivery {
  candidates: number;
  used: number;
  reached: SignaledRun[];
}

/**
 * Delivers signals to the runs that wait for them, in order. One that no run waits for leaves no trace; a copy of a used one
 * does nothing.
 * @param client of the sender's transaction: the signals are used when it is committed
 * @returns for each signal the runs that continue with it
 */
export async function deliverSignals(
  client: Queryable,
  signals: readonly Signal[],
): Promise<SignaledRun[][]> {
  const reached: SignaledRun[][] = signals.map(() => []);
  const keys = signals.flatMap(({ workspaceId, keys }, place) =>
    keys.map((key) => ({ workspaceId, key, place })),
  );
  if (keys.length === 0) return reached;
  const { rows } = await client.query<{ place: number }>({
    name: 'find_waited_for',
    text: WAITED_FOR,
    values: [
      keys.map(({ workspaceId }) => workspaceId),
      keys.map(({ key }) => key),
      keys.map(({ place }) => place),
    ],
  });
  for (const { place } of rows.toSorted((a, b) => a.place - b.place)) {
    const signal = signals[place];
    if (signal) reached[place] = await deliver(client, signal);
  }
  return reached;
}

/** Each attempt sees what other senders have committed since. */
async function deliver(client: Queryable, signal: Signal): Promise<SignaledRun[]> {
  const { workspaceId, keys, id, payload, taskRun } = signal;
  const place = [taskRun?.runId ?? null, taskRun?.taskId ?? null, taskRun?.iteration ?? null];
  let isOurs = false;
  for (;;) {
    const values = [workspaceId, keys, id, payload, ...place, isOurs];
    const { rows } = await client.query<Delivery>({ name: 'deliver_signal', text: DELIVER, values });
    const { candidates, used, reached } = rows[0] as Delivery;
    isOurs ||= used > 0;
    if (reached.length > 0) return reached;
    if (!isOurs || candidates === 0) return [];
  }
}

const LISTENERS = `
with last_wait as (
  select workspace_id, key from signal_waits where run_id = $1 and is_open and not key ^@ any($2::text[]) order by opened_at desc, id desc limit 1
), ${choose('(w.workspace_id, w.key) = (select workspace_id, key from last_wait)')}
select run_id, workflow_id, bool_or((id in (select id from chosen)) is true) as receives from candidate
group by run_id, workflow_id order by min(from_oldest) limit ${MAX_LISTENERS}`;

/** A run that waits for a signal. */
export interface Listener extends SignaledRun {
  /** The next signal continues it. */
  receives: boolean;
}

/**
 * The runs that wait for the same signal as the last wait of a run, this one included, from the first that waits on, at most
 * `MAX_LISTENERS`; none where it waits for none. @param ignoredKeys prefixes of keys whose waits do not count
 */
export async function listListeners(
  pool: Queryable,
  runId: string,
  ignoredKeys: readonly string[],
): Promise<Listener[]> {
  const { rows } = await pool.query<{ run_id: string; workflow_id: string; receives: boolean }>(LISTENERS, [
    runId,
    ignoredKeys,
  ]);
  return rows.map((row) => ({ runId: row.run_id, workflowId: row.workflow_id, receives: row.receives }));
}

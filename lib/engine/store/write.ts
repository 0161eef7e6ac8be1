// The checkpoint: task runs and changes of many runs in one statement, each fenced by its epoch, and the statement by its
// number.
import type { Pool } from '#lib/core/db/client.ts';
import { Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import type { TakenRun } from '#lib/engine/run-state.ts';
import type { LoopState, RunStatus, TaskRun } from '#lib/engine/run-types.ts';
import type { RunChange } from '#lib/engine/engine-deps.ts';
import { addAdvanceJob } from './advance-job.ts';
import { ANSWERS_CHANNEL } from './answers.ts';
import type { LoopItems } from './loop-items.ts';
import { releaseLines } from './run-lines.ts';
import { replaceWaits, WaitColumns } from './signal-waits.ts';
import { IS_UNTAKEN } from './take.ts';
import { insertTaskRuns, TaskRunColumns } from './task-run-columns.ts';

export interface RunWrite {
  run: TakenRun;
  taskRuns: readonly TaskRun[];
  change: RunChange;
}

const CHANGE = {
  run_id: 'uuid',
  epoch: 'int',
  status: 'text',
  error: 'text',
  answer: 'text',
  resume_at: 'timestamptz',
  finished_at: 'timestamptz',
  read_at: 'timestamptz',
} as const;
const CHANGES_FROM = 3;
const TASK_RUNS_FROM = CHANGES_FROM + Object.keys(CHANGE).length;

/**
 * A run is written by the process that has it, or that read it as nothing had taken it yet and takes it with this write.
 * @param columns further columns of the result
 */
const owned = (columns = ''): string => `
with change as (
  select * from ${unnest(CHANGE, CHANGES_FROM)} as t(${namesOf(CHANGE)})
), owned as (
  update runs r
  set status = coalesce(c.status, 'running'), error = c.error::json, answer = coalesce(c.answer::json, r.answer),
      resume_at = c.resume_at, finished_at = c.finished_at, last_statement = $1,
      epoch = c.epoch, worker_id = $2, started_at = coalesce(r.started_at, c.read_at)
  from change c
  where r.id = any(array[c.run_id]) and (
    (r.status = 'running' and r.worker_id = $2 and r.epoch = c.epoch and r.last_statement < $1::bigint)
    or (c.read_at is not null and ${IS_UNTAKEN})
  )
  returning r.id, c.resume_at, c.answer is not null as answered${columns}
), written as (
  ${insertTaskRuns(TASK_RUNS_FROM)}
  where (t.run_id in (select id from owned)) is true
  on conflict (run_id, task_id, iteration) do update
  set status = excluded.status, branch = excluded.branch, run_text = excluded.run_text, output = excluded.output,
      error = excluded.error, attempt = excluded.attempt, attempts = excluded.attempts, state = excluded.state,
      items = coalesce(excluded.items, task_runs.items),
      started_at = excluded.started_at, finished_at = excluded.finished_at, resume_at = excluded.resume_at
)`;

/** For batches in which a run fails: it is recorded for alerts (lib/alerts). */
const ownedWithFailures = `${owned(', r.workspace_id, r.workflow_id, r.version, r.status, r.finished_at')}, noted as (
  insert into failed_runs (run_id, workspace_id, workflow_id, failed_at)
  select id, workspace_id, workflow_id, coalesce(finished_at, now())
  from owned where status = 'failed' and version > 0
)`;

const TIMERS_AND_ANSWERS = `timers as (
  select count(job) as jobs from (
    select ${addAdvanceJob('json_build_array(id)', { runAt: 'resume_at' })} as job
    from owned where resume_at is not null
  ) as added
), answers as (
  select pg_notify('${ANSWERS_CHANNEL}', string_agg(id::text, ',')) from owned where answered having count(*) > 0
)`;
const TOLD = '(select jobs from timers) as timers, (select count(*) from answers) as answers';

const WAITS_FROM = TASK_RUNS_FROM + TaskRunColumns.COUNT;
/** @param begun the statement's beginning @param suffix of the names of the prepared statements */
const statementsOf = (begun: string, suffix: string) => ({
  plain: { name: `write_runs${suffix}`, text: `${begun} select id from owned` },
  withSignals: {
    name: `write_runs_with_signals${suffix}`,
    text: `${begun}, ${TIMERS_AND_ANSWERS} select id, ${TOLD} from owned`,
  },
  /** For batches with a run that waits, or waited, for signals. */
  withWaits: {
    name: `write_runs_with_waits${suffix}`,
    text: `${begun}, ${TIMERS_AND_ANSWERS}, ${replaceWaits(WAITS_FROM)}
select id, ${TOLD}, (select jobs from wakes) as wakes from owned`,
  },
});
const STATEMENTS = statementsOf(owned(), '');
const STATEMENTS_WITH_FAILURES = statementsOf(ownedWithFailures, '_that_fail');

const ENDED = ['succeeded', 'failed'] as const satisfies RunStatus[];
/**
 * For batches in which a run in a line, or one that another run called, ends: the next one gets its turn, the caller is woken. Lines are locked after waits, as by those who deliver
 * signals and start runs in one transaction.
 */
const IN_LINES = {
  name: 'write_runs_in_lines',
  text: `${ownedWithFailures}, ${TIMERS_AND_ANSWERS}, ${replaceWaits(WAITS_FROM, 'returning w.id')}, ${releaseLines(
    `select id from owned where status in (${ENDED.map((status) => `'${status}'`).join(', ')})
      and (select count(*) from ended_waits) + (select count(*) from closed_waits) + (select jobs from wakes) >= 0`,
  )}
select id, ${TOLD}, (select jobs from wakes) as wakes, (select count(job) from released) as released from owned`,
};

const endsInLine = ({ run, change }: RunWrite): boolean =>
  run.isInLine === true && ENDED.some((status) => status === change.status);

// `(… in …) is true` becomes a hashed lookup; a plain `in` would become a nested loop over both lists, because these
// connections plan no hash joins: 550 µs a run instead of 60 with batches of 256.

/**
 * Writes a batch, at most one write a run; returns which of the runs this worker still holds.
 * @param number see `runs.last_statement`
 */
export async function writeRuns(
  pool: Pool,
  workerId: string,
  items: LoopItems,
  number: number,
  writes: readonly RunWrite[],
): Promise<Set<string>> {
  const changes = new Columns(CHANGE);
  const written = new TaskRunColumns();
  const waits = new WaitColumns();
  const loops: LoopState[] = [];
  let hasSignals = false;
  let hasWaits = false;
  let hasFailures = false;
  for (const { run, taskRuns, change } of writes) {
    if (change.resumeAt !== undefined || change.answer) hasSignals = true;
    if (change.status === 'failed') hasFailures = true;
    if (change.waits) {
      hasWaits = true;
      waits.add(run, change.waits);
    }
    changes.add([
      run.id,
      run.epoch,
      change.status,
      change.error && JSON.stringify(change.error),
      change.answer && JSON.stringify(change.answer),
      change.resumeAt,
      change.finishedAt,
      run.readAt,
    ]);
    for (const taskRun of taskRuns) {
      written.add(run.id, taskRun, items.textToWrite(taskRun.loop));
      if (taskRun.loop) loops.push(taskRun.loop);
    }
  }
  const values = [number, workerId, ...changes.parameters, ...written.parameters];
  const { plain, withSignals, withWaits } = hasFailures ? STATEMENTS_WITH_FAILURES : STATEMENTS;
  const hasLines = writes.some(endsInLine);
  const query =
    hasWaits || hasLines
      ? { ...(hasLines ? IN_LINES : withWaits), values: [...values, ...waits.parameters] }
      : { ...(hasSignals ? withSignals : plain), values };
  const { rows } = await pool.query<{ id: string }>(query);
  for (const loop of loops) items.markWritten(loop);
  const held = new Set(rows.map((row) => row.id));
  for (const { run } of writes) if (held.has(run.id)) run.readAt = undefined;
  return held;
}

/**
 * Merges the writes of a batch by run: a statement may touch a row once, so those of one run and epoch become one. Of two
 * epochs of a run the older has lost it; of two states of a task run the later is written.
 */
export function mergeWrites(batch: readonly RunWrite[]): Map<string, RunWrite> {
  const merged = new Map<string, RunWrite>();
  for (const write of batch) {
    const { run, taskRuns, change } = write;
    const known = merged.get(run.id);
    if (!known || known.run.epoch < run.epoch) merged.set(run.id, write);
    else if (known.run.epoch === run.epoch) {
      merged.set(run.id, {
        run,
        taskRuns: [
          ...new Map(
            [...known.taskRuns, ...taskRuns].map((taskRun) => [
              `${taskRun.taskId}@${taskRun.iteration}`,
              taskRun,
            ]),
          ).values(),
        ],
        change: { ...known.change, ...change },
      });
    }
  }
  return merged;
}

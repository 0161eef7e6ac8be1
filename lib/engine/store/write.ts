// The checkpoint: task runs and run changes of many runs in one statement, each fenced by its epoch.
import type { Pool } from '#lib/core/db/client.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { TakenRun } from '../run-state.ts';
import type { LoopState, SavedLoop, TaskRun } from '../run-types.ts';
import type { RunChange } from '../store-types.ts';
import { addAdvanceJob } from './advance-job.ts';
import { ANSWERS_CHANNEL } from './answers.ts';
import type { LoopItems } from './loop-items.ts';
import { formatTaskState } from './task-state.ts';

export interface RunWrite {
  run: TakenRun;
  taskRuns: readonly TaskRun[];
  change: RunChange;
}

const INSTANTS = ['started_at', 'finished_at', 'resume_at']
  .map((name) => `to_timestamp(t.${name} / 1000.0)`)
  .join(', ');

const OWNED = `
with change as (
  select * from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[])
    as t(run_id, epoch, status, error, answer, resume_at, finished_at)
), owned as (
  update runs r
  set status = coalesce(c.status, r.status), error = c.error::json, answer = coalesce(c.answer::json, r.answer),
      resume_at = to_timestamp(c.resume_at / 1000.0), finished_at = to_timestamp(c.finished_at / 1000.0)
  from change c
  where r.id = c.run_id and r.epoch = c.epoch and r.status = 'running'
  returning r.id, c.resume_at, c.answer is not null as answered
), written as (
  insert into task_runs (run_id, task_id, iteration, status, branch, run_text, output, error, attempt, attempts, state,
    items, started_at, finished_at, resume_at)
  select t.run_id, t.task_id, t.iteration, t.status, t.branch, t.run_text, t.output, t.error::json, t.attempt,
    t.attempts::json, t.state, t.items, ${INSTANTS}
  from unnest($8::uuid[], $9::int[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
    $16::int[], $17::text[], $18::text[], $19::text[], $20::float8[], $21::float8[], $22::float8[])
    as t(run_id, task_id, iteration, status, branch, run_text, output, error, attempt, attempts, state, items, started_at,
      finished_at, resume_at)
  where (t.run_id in (select id from owned)) is true
  on conflict (run_id, task_id, iteration) do update
  set status = excluded.status, branch = excluded.branch, run_text = excluded.run_text, output = excluded.output,
      error = excluded.error, attempt = excluded.attempt, attempts = excluded.attempts, state = excluded.state,
      items = coalesce(excluded.items, task_runs.items),
      started_at = excluded.started_at, finished_at = excluded.finished_at, resume_at = excluded.resume_at
)`;

const PLAIN = `${OWNED} select id from owned`;

const WITH_SIGNALS = `${OWNED}, timers as (
  select count(job) as jobs from (
    select ${addAdvanceJob('json_build_array(id)', 'to_timestamp(resume_at / 1000.0)')} as job
    from owned where resume_at is not null
  ) as added
), answers as (
  select pg_notify('${ANSWERS_CHANNEL}', string_agg(id::text, ',')) from owned where answered having count(*) > 0
)
select id, (select jobs from timers) as timers, (select count(*) from answers) as answers from owned`;

// `(… in …) is true` is looked up in a hash; a plain `in` would become a nested loop over both lists, because these
// connections plan no hash joins: 550 µs a run instead of 60 with batches of 256.

/** Writes a batch, at most one write a run; answers which of the runs were still ours. */
export async function writeRuns(
  pool: Pool,
  items: LoopItems,
  writes: readonly RunWrite[],
): Promise<Set<string>> {
  const columns: unknown[][] = Array.from({ length: 22 }, () => []);
  const loops: LoopState[] = [];
  let hasSignals = false;
  for (const { run, taskRuns, change } of writes) {
    if (change.resumeAt !== undefined || change.answer) hasSignals = true;
    pushRow(columns, 0, [
      run.id,
      run.epoch,
      change.status ?? null,
      jsonOrNull(change.error),
      jsonOrNull(change.answer),
      change.resumeAt ?? null,
      change.finishedAt ?? null,
    ]);
    for (const taskRun of taskRuns) {
      pushRow(columns, 7, toRow(run, taskRun, items.textToWrite(taskRun.loop)));
      if (taskRun.loop) loops.push(taskRun.loop);
    }
  }
  const query = hasSignals
    ? { name: 'write_runs_with_signals', text: WITH_SIGNALS }
    : { name: 'write_runs', text: PLAIN };
  const { rows } = await pool.query<{ id: string }>({ ...query, values: columns });
  for (const loop of loops) items.markWritten(loop);
  return new Set(rows.map((row) => row.id));
}

function pushRow(columns: unknown[][], offset: number, row: unknown[]): void {
  row.forEach((value, index) => columns[offset + index]?.push(value));
}

function toRow(run: TakenRun, taskRun: TaskRun, items: string | null): unknown[] {
  const { loop, waitingFor, inFlight, captured } = taskRun;
  return [
    run.id,
    taskRun.taskId,
    taskRun.iteration,
    taskRun.status,
    taskRun.branch ?? null,
    taskRun.runText === undefined ? null : withoutNul(taskRun.runText),
    taskRun.output == null ? null : stringifyJson(taskRun.output),
    taskRun.error ? stringifyJson({ ...taskRun.error }) : null,
    taskRun.attempt,
    jsonOrNull(taskRun.attempts),
    formatTaskState({ loop: withoutItems(loop), waitingFor, inFlight, captured }),
    items,
    taskRun.startedAt ?? null,
    taskRun.finishedAt ?? null,
    taskRun.resumeAt ?? null,
  ];
}

function withoutItems(loop: LoopState | undefined): SavedLoop | undefined {
  if (!loop) return undefined;
  const { items: _, ...counters } = loop;
  return counters;
}

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** PostgreSQL's text cannot hold U+0000. */
const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\u2400') : text);

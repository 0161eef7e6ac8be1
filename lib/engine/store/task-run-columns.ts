// Task runs as parameters of the statements that write them: checkpoints, and webhooks with a first leg.
import { type Column, Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { LoopState, SavedLoop, TaskRun } from '../run-types.ts';
import { formatTaskState } from './task-state.ts';

const TYPES = {
  run_id: 'uuid',
  task_id: 'int',
  iteration: 'text',
  status: 'text',
  branch: 'text',
  run_text: 'text',
  output: 'text',
  error: 'text',
  attempt: 'int',
  attempts: 'text',
  state: 'text',
  items: 'text',
  started_at: 'timestamptz',
  finished_at: 'timestamptz',
  resume_at: 'timestamptz',
} as const;
const JSON_COLUMNS = ['error', 'attempts'];
const VALUES = Object.keys(TYPES).map((name) => `t.${name}${JSON_COLUMNS.includes(name) ? '::json' : ''}`);

/**
 * SQL that inserts the task runs `t` of some parameters, up to its condition.
 * @param first number of the first parameter
 */
export const insertTaskRuns = (first: number): string =>
  `insert into task_runs (${namesOf(TYPES)})
  select ${VALUES.join(', ')} from ${unnest(TYPES, first)} as t(${namesOf(TYPES)})`;

export class TaskRunColumns {
  /** Number of parameters. */
  static readonly COUNT = Object.keys(TYPES).length;
  readonly #rows = new Columns(TYPES);

  /** @param items the JSON text of a loop's items, where they have to be written */
  add(runId: string, taskRun: TaskRun, items: string | null): void {
    const { loop } = taskRun;
    this.#rows.add([
      runId,
      taskRun.taskId,
      taskRun.iteration,
      taskRun.status,
      taskRun.branch,
      taskRun.runText === undefined ? undefined : withoutNul(taskRun.runText),
      taskRun.output == null ? null : stringifyJson(taskRun.output),
      taskRun.error ? stringifyJson({ ...taskRun.error }) : null,
      taskRun.attempt,
      taskRun.attempts && JSON.stringify(taskRun.attempts),
      formatTaskState(loop ? { ...taskRun, loop: withoutItems(loop) } : taskRun),
      items,
      taskRun.startedAt,
      taskRun.finishedAt,
      taskRun.resumeAt,
    ]);
  }

  get parameters(): Column[] {
    return this.#rows.parameters;
  }
}

function withoutItems({ items: _, ...counters }: LoopState): SavedLoop {
  return counters;
}

/** PostgreSQL's text cannot hold U+0000. */
const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\u2400') : text);

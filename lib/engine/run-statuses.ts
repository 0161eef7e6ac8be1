// What the statuses of runs and task runs mean, for code and for SQL.
import type { RunStatus, TaskRunStatus } from './run-types.ts';

const OPEN_RUN_STATUSES = ['queued', 'running', 'waiting'] as const satisfies RunStatus[];
export const OPEN_TASK_RUN_STATUSES = ['running', 'waiting'] as const satisfies TaskRunStatus[];

const isOneOf = (statuses: readonly string[], status: string): boolean => statuses.includes(status);

/** Whether a run has not ended. Ended runs only change when they are retried. */
export const isOpenRun = (status: RunStatus): boolean => isOneOf(OPEN_RUN_STATUSES, status);

/** SQL of `isOpenRun`. @param status SQL of the column */
export const isOpenRunSql = (status: string): string =>
  `${status} in (${OPEN_RUN_STATUSES.map((each) => `'${each}'`).join(', ')})`;

export const isOpenTaskRun = (status: TaskRunStatus): boolean => isOneOf(OPEN_TASK_RUN_STATUSES, status);

/** Whether a task run failed for good; between attempts it is `waiting`. A side effect with an unknown outcome counts as failed. */
export const hasFailed = (status: TaskRunStatus): boolean =>
  status === 'failed' || status === 'outcome_unknown';

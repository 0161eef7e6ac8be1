// The tasks whose result follows at once from their settings and variables. A run executes them wherever it is, also in the
// process that receives its webhook (docs/engine.md); everything else is left to the workers.
import type { FirstLegDeps } from '#lib/engine/first-leg.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { delayExecutor } from './delay/execute.ts';
import { ifConditionExecutor } from './if-condition/execute.ts';
import type { TaskType } from './kinds.ts';
import { loopExecutor } from './loop/execute.ts';
import { setVariablesExecutor } from './set-variables/execute.ts';
import { needsSecrets } from './with-secrets.ts';

export const INSTANT_EXECUTORS = {
  if_condition: ifConditionExecutor,
  delay: delayExecutor,
  loop: loopExecutor,
  set_variables: setVariablesExecutor,
} satisfies Partial<Record<TaskType, TaskExecutor>>;

const executors = new Map<string, TaskExecutor>(Object.entries(INSTANT_EXECUTORS));

/** A task with secrets in its settings is none: they are read from the database. */
export const instantTasks: Pick<FirstLegDeps, 'findExecutor' | 'isInstant'> = {
  findExecutor: (type) => executors.get(type),
  isInstant: ({ type, settings }) => executors.has(type) && !needsSecrets(settings),
};

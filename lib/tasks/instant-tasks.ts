// The tasks whose result depends only on their settings and variables. They are executed in any process, also in the one that
// receives the webhook (docs/engine.md); everything else is left to the workers.
import type { FirstLegDeps } from '#lib/engine/first-leg.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { asksHours } from './conditions/with-hours.ts';
import { delayExecutor } from './delay/execute.ts';
import { ifConditionExecutor } from './if-condition/execute.ts';
import type { TaskType } from './kinds.ts';
import { loopExecutor } from './loop/execute.ts';
import { setVariablesExecutor } from './set-variables/execute.ts';
import { switchExecutor } from './switch/execute.ts';
import { asksCustomerZone } from './with-customer-zone.ts';
import { needsSecrets } from './with-secrets.ts';

export const INSTANT_EXECUTORS = {
  if_condition: ifConditionExecutor,
  switch: switchExecutor,
  delay: delayExecutor,
  loop: loopExecutor,
  set_variables: setVariablesExecutor,
} satisfies Partial<Record<TaskType, TaskExecutor>>;

const executors = new Map<string, TaskExecutor>(Object.entries(INSTANT_EXECUTORS));

/** Not tasks with secrets, dates in the zone of the customer or opening hours, which are read from the database. */
export const instantTasks: Pick<FirstLegDeps, 'findExecutor' | 'isInstant'> = {
  findExecutor: (type) => executors.get(type),
  isInstant: ({ type, settings }) =>
    executors.has(type) && !needsSecrets(settings) && !asksCustomerZone(settings) && !asksHours(settings),
};

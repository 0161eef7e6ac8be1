import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import type { IfConditionSettings } from './definition.ts';
import { testCondition } from './evaluate-condition.ts';

export const ifConditionExecutor: TaskExecutor = {
  execute({ settings, scope }) {
    // A version's settings were parsed when it was published.
    const { match, conditions } = settings as IfConditionSettings;
    const result =
      match === 'all'
        ? conditions.every((condition) => testCondition(condition, scope))
        : conditions.some((condition) => testCondition(condition, scope));
    return {
      kind: 'done',
      output: { result },
      runText: `The condition is ${result}.`,
      branch: String(result),
    };
  },
};

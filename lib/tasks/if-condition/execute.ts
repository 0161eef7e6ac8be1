import { testCondition } from '#lib/tasks/conditions/evaluate-condition.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { ifCondition } from './definition.ts';

export const ifConditionExecutor = executorOf(ifCondition, {
  execute({ settings: { match, conditions }, scope }) {
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
});

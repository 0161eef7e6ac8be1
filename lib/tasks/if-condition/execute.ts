import { testConditions } from '#lib/tasks/conditions/evaluate-condition.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { ifCondition } from './definition.ts';

export const ifConditionExecutor = executorOf(ifCondition, {
  execute({ settings: { match, conditions }, scope }) {
    const result = testConditions(conditions, match, scope);
    return {
      kind: 'done',
      output: { result },
      runText: `The condition is ${result}.`,
      branch: String(result),
    };
  },
});

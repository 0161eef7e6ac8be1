import { processRuntime } from '#lib/core/process-runtime.ts';
import { testConditions } from '#lib/tasks/conditions/evaluate-condition.ts';
import { decideWithHours, type Hours, type LoadHours } from '#lib/tasks/conditions/with-hours.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { ifCondition } from './definition.ts';

export const createIfConditionExecutor = (load: LoadHours) =>
  executorOf(ifCondition, {
    execute(task) {
      const { match, conditions } = task.settings;
      return decideWithHours(task, load, (hours?: Hours) => {
        const result = testConditions(conditions, match, task.scope, hours);
        return {
          kind: 'done',
          output: { result },
          runText: `The condition is ${result}.`,
          branch: String(result),
        };
      });
    },
  });

export const ifConditionExecutor = createIfConditionExecutor(processRuntime);

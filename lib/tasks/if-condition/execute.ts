import { processRuntime } from '#lib/core/process-runtime.ts';
import { testCondition } from '#lib/tasks/conditions/evaluate-condition.ts';
import { decideWithHours, type Hours, type LoadHours } from '#lib/tasks/conditions/with-hours.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { ifCondition } from './definition.ts';

export const createIfConditionExecutor = (load: LoadHours) =>
  executorOf(ifCondition, {
    execute(task) {
      const { match, conditions } = task.settings;
      return decideWithHours(task, load, (hours?: Hours) => {
        const holds = (condition: (typeof conditions)[number]): boolean =>
          testCondition(condition, task.scope, hours);
        const result = match === 'all' ? conditions.every(holds) : conditions.some(holds);
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

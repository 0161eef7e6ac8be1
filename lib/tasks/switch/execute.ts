import { processRuntime } from '#lib/core/process-runtime.ts';
import { testCondition } from '#lib/tasks/conditions/evaluate-condition.ts';
import { decideWithHours } from '#lib/tasks/conditions/with-hours.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { switchTask } from './definition.ts';
import { caseBranch, caseLabel, OTHERWISE } from './kind.ts';

export const switchExecutor = executorOf(switchTask, {
  execute(task) {
    const { value, cases } = task.settings;
    return decideWithHours(task, processRuntime, (hours) => {
      const place = cases.findIndex((each) => testCondition({ ...each, left: value }, task.scope, hours));
      const taken = cases[place];
      const label = taken ? caseLabel(taken) : OTHERWISE.label;
      return {
        kind: 'done',
        output: { case: label, number: place + 1 },
        runText: taken ? `Case ${place + 1} fits: ${label}.` : 'No case fits.',
        branch: taken ? caseBranch(place) : OTHERWISE.name,
      };
    });
  },
});

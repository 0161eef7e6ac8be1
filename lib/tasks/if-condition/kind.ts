import { describeConditions } from '#lib/tasks/conditions/operators.ts';
import { taskName } from '#lib/variables/task-names.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Takes one of two branches (docs/engine.md). */
export const ifConditionKind = {
  type: 'if_condition',
  name: 'If / Condition',
  summary: 'Continues on the True branch when the conditions are met, otherwise on False.',
  category: 'logic',
  icon: 'M15 6a9 9 0 0 0-9 9V3M15 6a3 3 0 1 0 6 0a3 3 0 1 0-6 0M3 18a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  isTrigger: false,
  keywords: ['branch', 'filter', 'compare', 'check', 'router', 'else', 'when', 'decision'],
  newSettings: { conditions: [{ left: '', operator: 'equals', right: '' }] },
  describe: ({ conditions, match }) => describeConditions(conditions, match),
  conditionUnless: ({ id }, branch) => ({
    left: `{{${taskName(id, 'result')}}}`,
    operator: 'not_equals',
    right: branch === 'true',
  }),
  branches: [
    { name: 'true', label: 'True', color: 'positive' },
    { name: 'false', label: 'False', color: 'negative', isTakenAfterFailure: true },
  ],
} as const satisfies TaskKind;

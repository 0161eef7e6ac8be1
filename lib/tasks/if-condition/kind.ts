import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Takes one of two ways (docs/engine.md). */
export const ifConditionKind: TaskKind = {
  type: 'if_condition',
  name: 'If / Condition',
  summary: 'Continues on the True branch when the conditions are met, otherwise on False.',
  category: 'logic',
  icon: 'GitBranch',
  isTrigger: false,
  branches: ['true', 'false'],
};

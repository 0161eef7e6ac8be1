import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Takes one of two ways (docs/engine.md). */
export const ifConditionKind: TaskKind = {
  type: 'if_condition',
  name: 'If / Condition',
  summary: 'Takes one way when conditions hold, another when they do not.',
  category: 'logic',
  icon: 'GitBranch',
  isTrigger: false,
  branches: ['true', 'false'],
};

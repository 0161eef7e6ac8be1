import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Gives names to values for later tasks (docs/engine.md). */
export const setVariablesKind: TaskKind = {
  type: 'set_variables',
  name: 'Set variables',
  summary: 'Stores values under your own names for later tasks.',
  category: 'data',
  icon: 'Variable',
  isTrigger: false,
  branches: [],
};

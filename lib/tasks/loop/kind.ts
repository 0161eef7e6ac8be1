import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Runs the tasks behind its `each` exit once for each item, then those behind `done` (docs/engine.md). */
export const loopKind: TaskKind = {
  type: 'loop',
  name: 'Loop',
  summary: 'Runs tasks once for each item of a list, or a number of times.',
  category: 'logic',
  icon: 'Repeat',
  isTrigger: false,
  branches: ['each', 'done'],
};

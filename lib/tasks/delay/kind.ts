import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Waits, however often the process starts anew until then (docs/engine.md). */
export const delayKind: TaskKind = {
  type: 'delay',
  name: 'Delay',
  summary: 'Waits for a while or until a point in time.',
  category: 'logic',
  icon: 'Clock',
  isTrigger: false,
  branches: [],
};

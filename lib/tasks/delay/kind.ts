import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Waits, however often the process starts again until then (docs/engine.md). */
export const delayKind = {
  type: 'delay',
  name: 'Delay',
  summary: 'Waits for a duration or until a date and time.',
  category: 'logic',
  icon: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 6v6l4 2',
  isTrigger: false,
  branches: [],
  isWait: true,
} as const satisfies TaskKind;

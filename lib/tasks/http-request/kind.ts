import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Calls an address on the public internet (docs/engine.md and 5). */
export const httpRequestKind: TaskKind = {
  type: 'http_request',
  name: 'HTTP request',
  summary: 'Calls another application and reads its answer.',
  category: 'data',
  icon: 'Globe',
  isTrigger: false,
  branches: [],
};

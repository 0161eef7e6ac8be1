import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** A task type for tests only: it checks whether a text is long. */
export const countLettersKind = {
  type: 'count_letters',
  name: 'Count letters',
  summary: 'Takes one of two branches by the length of a text.',
  category: 'data',
  icon: 'M4 20l8-16 8 16M7 14h10',
  isTrigger: false,
  branches: [
    { name: 'long', label: 'Long', color: 'positive' },
    { name: 'short', label: 'Short', color: 'negative', isTakenAfterFailure: true },
  ],
} as const satisfies TaskKind;

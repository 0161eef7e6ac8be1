import { DONE_BRANCH, EACH_BRANCH } from '#lib/engine/graph-types.ts';
import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Runs the tasks after its `each` branch once for each item, then those behind `done` (docs/engine.md). */
export const loopKind = {
  type: 'loop',
  name: 'Loop',
  summary: 'Runs tasks once for each item of a list, or a number of times.',
  category: 'logic',
  icon: 'M17 2l4 4-4 4M3 11v-1a4 4 0 0 1 4-4h14M7 22l-4-4 4-4M21 13v1a4 4 0 0 1-4 4H3',
  isTrigger: false,
  keywords: ['for each', 'foreach', 'repeat', 'iterate', 'list', 'items', 'every', 'batch', 'times'],
  describe: ({ items, count, at_once }) => {
    const times =
      settingWords(count) && `${settingWords(count)} ${settingWords(count) === '1' ? 'time' : 'times'}`;
    const words = settingWords(items) === '' ? times : `each of ${settingWords(items)}`;
    return words !== '' && Number(at_once) > 1 ? `${words}, ${Number(at_once)} at once` : words;
  },
  branches: [
    { name: EACH_BRANCH, label: 'For each item', color: 'repeat' },
    { name: DONE_BRANCH, label: 'When done', color: 'positive', isTakenAfterFailure: true },
  ],
} as const satisfies TaskKind;

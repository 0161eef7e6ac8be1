import { settingRows, settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Gives names to values for later tasks. */
export const setVariablesKind = {
  type: 'set_variables',
  name: 'Set variables',
  summary: 'Stores values under your own names for later tasks.',
  category: 'data',
  icon: 'M8 21s-4-3-4-9 4-9 4-9M16 3s4 3 4 9-4 9-4 9M15 9l-6 6M9 9l6 6',
  isTrigger: false,
  branches: [],
  keywords: ['assign', 'store', 'value', 'edit fields', 'transform', 'map', 'format', 'rename'],
  newSettings: { variables: [{ name: '', value: '' }] },
  describe: ({ variables }) =>
    settingRows(variables)
      .filter(({ name }) => settingWords(name) !== '')
      .map(({ name, value }) => `${settingWords(name)} = ${settingWords(value)}`)
      .join(', '),
} as const satisfies TaskKind;

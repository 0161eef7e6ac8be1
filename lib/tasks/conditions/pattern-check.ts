import { settingRows } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';

/**
 * The check of patterns among the comparisons of a setting; the library for it is loaded where one has a pattern.
 * @param field the setting with the list of comparisons
 */
export const patternCheck = (field: string): NonNullable<TaskDefinition['furtherCheck']> => ({
  isNeeded: (settings) => settingRows(settings[field]).some(({ operator }) => operator === 'matches'),
  load: async () => {
    const { checkPatterns } = await import('./patterns.ts');
    return (settings) => checkPatterns(field, settings);
  },
});

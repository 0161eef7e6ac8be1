import { TASK_DEFINITIONS } from '#lib/tasks/registry.ts';
import type { TaskCategory, TaskDefinition } from '#lib/tasks/task-definition.ts';

const TITLES: readonly [TaskCategory, string][] = [
  ['messaging', 'Messaging'],
  ['logic', 'Logic'],
  ['data', 'Data'],
];

/** The task types that can be added, by category; with a search those whose name or summary has its words. */
export function groupTaskTypes(search = ''): { title: string; definitions: TaskDefinition[] }[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return TITLES.map(([category, title]) => ({
    title,
    definitions: TASK_DEFINITIONS.filter((definition) => {
      const text = `${definition.name} ${definition.type} ${definition.summary} ${title}`.toLowerCase();
      return (
        definition.category === category &&
        !definition.isTrigger &&
        words.every((word) => text.includes(word))
      );
    }),
  })).filter(({ definitions }) => definitions.length > 0);
}

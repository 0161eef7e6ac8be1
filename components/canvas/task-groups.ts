import { TASK_KINDS } from '#lib/tasks/kinds.ts';
import type { TaskCategory, TaskKind } from '#lib/tasks/task-kind.ts';

/** In the order of the palette. */
const TITLES: Readonly<Record<Exclude<TaskCategory, 'trigger'>, string>> = {
  messaging: 'Messaging',
  logic: 'Logic',
  data: 'Data',
};

/** The task types that can be added, by category; with a search those whose name or summary has its words. */
export function groupTaskTypes(search = ''): { title: string; kinds: TaskKind[] }[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.entries(TITLES)
    .map(([category, title]) => ({
      title,
      kinds: [...TASK_KINDS.values()].filter((kind) => {
        const text = `${kind.name} ${kind.type} ${kind.summary} ${title}`.toLowerCase();
        return kind.category === category && !kind.isTrigger && words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ kinds }) => kinds.length > 0);
}

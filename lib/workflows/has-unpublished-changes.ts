import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';

/**
 * Whether publishing the draft would change what runs. Where boxes stand and what notes say does not; and a setting
 * that was left out is the same as its default, which publishing fills in.
 */
export function hasUnpublishedChanges(draft: WorkflowGraph, published: WorkflowGraph): boolean {
  return normalise(draft) !== normalise(published);
}

function normalise({ tasks, edges }: WorkflowGraph): string {
  const comparableTasks = tasks
    .map(({ position: _position, settings, ...task }) => {
      const complete = findTaskDefinition(task.type)?.settings.safeParse(settings);
      return { ...task, settings: complete?.success ? complete.data : settings };
    })
    .sort((a, b) => a.id - b.id);
  const comparableEdges = edges.map(({ from, to, branch }) => `${from}>${to}:${branch ?? ''}`).sort();
  return JSON.stringify([comparableTasks, comparableEdges], sortKeys);
}

/** PostgreSQL and browsers keep keys in different orders. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

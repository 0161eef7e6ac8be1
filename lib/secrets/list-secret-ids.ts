import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { findPlaceholders, mapStrings } from './placeholder-format.ts';

/** The ids of the secrets that a graph's settings refer to. */
export function listSecretIds({ tasks }: Pick<WorkflowGraph, 'tasks'>): string[] {
  const ids = new Set<string>();
  for (const { settings } of tasks)
    mapStrings(settings, (text) => {
      for (const { id } of findPlaceholders(text)) if (id !== undefined) ids.add(id);
      return text;
    });
  return [...ids];
}

import * as z from 'zod';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { findTaskDefinition } from './registry.ts';
import type { PickSource } from './task-definition.ts';

/** A setting of a task that is picked from a list. */
export interface PickedSetting {
  name: string;
  from: PickSource;
  value: unknown;
}

/** The settings of a task that its type picks from lists, whether something is picked or not. */
export function listPicked({ type, settings }: Pick<WorkflowTask, 'type' | 'settings'>): PickedSetting[] {
  const shape = findTaskDefinition(type)?.settings.shape ?? {};
  return Object.entries(shape).flatMap(([name, schema]) => {
    const picks = z.globalRegistry.get(schema)?.picks;
    return picks ? [{ name, from: picks.from, value: settings[name] }] : [];
  });
}

/** Ids of the connections that a task names; a variable names none. */
export const listConnectionIds = (task: Pick<WorkflowTask, 'type' | 'settings'>): string[] =>
  listPicked(task).flatMap(({ from, value }) =>
    from === 'connection' && typeof value === 'string' && value !== '' ? [value] : [],
  );

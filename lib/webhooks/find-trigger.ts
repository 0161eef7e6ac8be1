import type { Pool } from '#lib/core/db/client.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { storedTriggerSettingsSchema, type TriggerSettings } from './trigger-settings.ts';

export interface Trigger {
  taskId: number;
  settings: TriggerSettings;
}

export type FindTrigger = (workflowId: string, version: number) => Promise<Trigger>;

/** Gives the function that reads a version's trigger. */
export const createTriggerFinder =
  (pool: Pool): FindTrigger =>
  async (workflowId, version) =>
    triggerOf(await loadGraph(pool, workflowId, version));

const triggers = new WeakMap<CompiledGraph, Trigger>();

/** A graph's trigger; its settings are parsed once. */
export function triggerOf(graph: CompiledGraph): Trigger {
  let trigger = triggers.get(graph);
  if (!trigger) {
    trigger = {
      taskId: graph.triggerId,
      settings: storedTriggerSettingsSchema.parse(graph.trigger.task.settings),
    };
    triggers.set(graph, trigger);
  }
  return trigger;
}

import type { CompiledGraph } from '#lib/engine/graph.ts';
import { storedTriggerSettingsSchema, type TriggerSettings } from './trigger-settings.ts';

export interface Trigger {
  taskId: number;
  settings: TriggerSettings;
}

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

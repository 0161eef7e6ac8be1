import { LRUCache } from 'lru-cache';
import type { Pool } from '#lib/core/db/client.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { TriggerSettings } from './types.ts';

const MAX_CACHED = 5000;

export interface Trigger {
  taskId: number;
  settings: TriggerSettings;
}

export type FindTrigger = (workflowId: string, version: number) => Promise<Trigger>;

/** Gives the function that reads a version's trigger; versions never change, so they are remembered. */
export function createTriggerFinder(pool: Pool): FindTrigger {
  const cache = new LRUCache<string, Trigger>({ max: MAX_CACHED });
  return async (workflowId, version) => {
    const key = `${workflowId}:${version}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const { rows } = await pool.query<{ graph: WorkflowGraph }>({
      name: 'find_trigger',
      text: 'select graph from workflow_versions where workflow_id = $1 and version = $2',
      values: [workflowId, version],
    });
    const task = rows[0]?.graph.tasks.find(({ type }) => type === 'inbound_webhook');
    if (!task) throw new Error(`Version ${version} of workflow ${workflowId} has no trigger.`);
    const trigger = { taskId: task.id, settings: task.settings as unknown as TriggerSettings };
    cache.set(key, trigger);
    return trigger;
  };
}

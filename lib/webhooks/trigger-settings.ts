import type { Pool } from '#lib/db/client.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { RecentValues } from '#lib/recent-values.ts';
import type { TriggerSettings } from './types.ts';

const MAX_CACHED = 5000;

export type FindTriggerSettings = (
  workflowId: string,
  version: number,
  taskId: number,
) => Promise<TriggerSettings>;

/** Gives the function that reads a version's trigger settings; versions never change, so they are remembered. */
export function createTriggerSettingsFinder(pool: Pool): FindTriggerSettings {
  const cache = new RecentValues<TriggerSettings>({ maxCount: MAX_CACHED });
  return async (workflowId, version, taskId) => {
    const key = `${workflowId}:${version}`;
    const cached = cache.find(key);
    if (cached) return cached;
    const { rows } = await pool.query<{ graph: WorkflowGraph }>({
      name: 'find_trigger_settings',
      text: 'select graph from workflow_versions where workflow_id = $1 and version = $2',
      values: [workflowId, version],
    });
    const tasks = rows[0]?.graph.tasks ?? [];
    const trigger =
      tasks.find((task) => task.type === 'inbound_webhook') ?? tasks.find((task) => task.id === taskId);
    if (!trigger) throw new Error(`Version ${version} of workflow ${workflowId} has no trigger.`);
    const settings = trigger.settings as unknown as TriggerSettings;
    cache.keep(key, settings);
    return settings;
  };
}

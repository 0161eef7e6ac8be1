import type { TaskRunRow } from '#lib/screens/run-types.ts';
import { worstStatus } from './group-iterations.ts';

/** The worst status of each task, over all iterations. */
export function toOverlay(tasks: readonly TaskRunRow[]): Record<number, TaskRunRow['status']> {
  const byTask = new Map<number, TaskRunRow['status'][]>();
  for (const { taskId, status } of tasks) byTask.set(taskId, [...(byTask.get(taskId) ?? []), status]);
  return Object.fromEntries([...byTask].map(([taskId, statuses]) => [taskId, worstStatus(statuses)]));
}

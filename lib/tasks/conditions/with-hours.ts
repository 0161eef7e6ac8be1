// Gives the tasks that compare values the workspace's opening hours, where one of their conditions asks for them.
import type { Database } from '#lib/core/db/client.ts';
import type { TaskContext, TaskResult } from '#lib/engine/task-executor.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { settingRows } from '#lib/tasks/setting-values.ts';
import type { Hours } from './evaluate-condition.ts';
import { isOfHours } from './operators.ts';

/** Returns the dependencies; called at each execution that needs them. */
export type LoadHours = () => Promise<{ db: Database }>;

/** A version's settings are the same object in every run. */
const asking = new WeakMap<object, boolean>();

/** Whether a list of the settings has a condition on opening hours. */
export function asksHours(settings: Readonly<Record<string, unknown>>): boolean {
  const known = asking.get(settings);
  if (known !== undefined) return known;
  const asks = Object.values(settings).some((value) => settingRows(value).some(isOfHours));
  asking.set(settings, asks);
  return asks;
}

/** Decides at once, or after the hours were read from the database. */
export function decideWithHours(
  { settings, workspaceId, now }: Pick<TaskContext, 'settings' | 'workspaceId' | 'now'>,
  load: LoadHours,
  decide: (hours?: Hours) => TaskResult,
): TaskResult | Promise<TaskResult> {
  if (!asksHours(settings)) return decide();
  return load()
    .then(({ db }) => getWorkspaceTime({ db, workspaceId }))
    .then((time) => decide({ time, now }));
}

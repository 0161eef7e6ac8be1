// The workspace's opening hours for tasks that ask for them.
import type { Database } from '#lib/core/db/client.ts';
import type { Calendar } from '#lib/core/time/hours.ts';
import { type TaskContext, TaskError, type TaskResult } from '#lib/engine/task-executor.ts';
import { findCalendar, type WorkspaceTime } from '#lib/identity/schema/time-types.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { perSettings, settingRows } from '#lib/tasks/setting-values.ts';
import { isOfHours } from './operators.ts';

/** What conditions on opening hours need. */
export interface Hours {
  time: WorkspaceTime;
  now: Date;
}

/** Returns the dependencies; called at each execution that needs them. */
export type LoadHours = () => Promise<{ db: Database }>;

/** Whether a list of the settings has a condition on opening hours. */
export const asksHours = perSettings((settings: Readonly<Record<string, unknown>>) =>
  Object.values(settings).some((value) => settingRows(value).some(isOfHours)),
);

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

/** The calendar of this name, or for an empty one the only one. @throws TaskError `invalid_calendar` */
export function chooseCalendar(given: string, time: WorkspaceTime): { calendar: Calendar; name: string } {
  const names = Object.keys(time.hours);
  const name = given === '' && names.length === 1 ? (names[0] ?? '') : given;
  const calendar = findCalendar(time, name);
  if (calendar) return { calendar, name };
  const list = names.map((each) => `“${each}”`).join(', ');
  const problem =
    names.length === 0
      ? 'The workspace has no opening hours. Enter them in Settings → Time.'
      : given === ''
        ? `There are several calendars. Enter one of them: ${list}.`
        : `There is no calendar “${given}”. Settings → Time has ${list}.`;
  throw new TaskError('invalid_calendar', problem);
}

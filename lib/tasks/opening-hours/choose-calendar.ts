import type { Calendar } from '#lib/core/time/hours.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import { findCalendar, type WorkspaceTime } from '#lib/identity/schema/time-types.ts';

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

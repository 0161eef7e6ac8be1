import type { Database } from '#lib/core/db/client.ts';
import { findNext, findOpening, isOpen, WEEKDAYS, type Weekday } from '#lib/core/time/hours.ts';
import {
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import type { WorkspaceTime } from '#lib/identity/schema/time-types.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { findZoneOfRun } from '#lib/messaging/customers/customer-zone.ts';
import { chooseCalendar } from '#lib/tasks/conditions/with-hours.ts';
import { renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { OF_CUSTOMER, openingHours, type OpeningHoursSettings, readTime, readZone } from './definition.ts';
import { CLOSED, OPEN } from './kind.ts';

type Task = Pick<TaskContext<OpeningHoursSettings>, 'settings' | 'scope' | 'now' | 'workspaceId' | 'runId'>;

interface Read {
  db: Database;
  time: WorkspaceTime;
}

/** @param load returns the dependencies; called at each execution */
export function createOpeningHoursExecutor(load: () => Promise<{ db: Database }>): TaskExecutor {
  return executorOf(openingHours, {
    async execute(task) {
      const { db } = await load();
      const time = await getWorkspaceTime({ db, workspaceId: task.workspaceId });
      return RUN[task.settings.action](task, { db, time });
    },
  });
}

const RUN: Readonly<
  Record<OpeningHoursSettings['action'], (task: Task, read: Read) => TaskResult | Promise<TaskResult>>
> = {
  if_open: ifOpen,
  delay_until_open: delayUntilOpen,
  delay_until_time: delayUntilTime,
};

function ifOpen(task: Task, { time }: Read): TaskResult {
  const { calendar } = calendarOf(task, time);
  const { now } = task;
  const open = isOpen(calendar, time.zone, now);
  const opening = open ? undefined : findOpening(calendar, time.zone, now)?.toISOString();
  return {
    kind: 'done',
    output: { action: 'if_open', open, ...(opening !== undefined && { until: opening }) },
    runText: open ? 'Open.' : opening === undefined ? 'Closed.' : `Closed. Opens at ${opening}.`,
    branch: open ? OPEN.name : CLOSED.name,
  };
}

function delayUntilOpen(task: Task, { time }: Read): TaskResult {
  const { calendar, name } = calendarOf(task, time);
  const until = findOpening(calendar, time.zone, task.now);
  if (until) return wait('delay_until_open', until);
  throw new TaskError(
    'invalid_calendar',
    `The calendar “${name}” does not open within a year. Enter its hours in Settings → Time.`,
  );
}

async function delayUntilTime(task: Task, { db, time: { zone: ownZone } }: Read): Promise<TaskResult> {
  const { settings, scope, now } = task;
  const time = readTime(renderSetting(settings.time, scope, 'none'));
  if (time.problem !== undefined) throw new TaskError('invalid_delay', time.problem);
  const zone = readZone(renderSetting(settings.time_zone, scope, 'none'));
  if (zone.problem !== undefined) throw new TaskError('invalid_delay', zone.problem);
  const chosen =
    zone.value === OF_CUSTOMER
      ? await findZoneOfRun({ db, workspaceId: task.workspaceId }, task.runId, now)
      : zone.value;
  const { day } = settings;
  const next = { time: time.value, weekdays: weekdaysOf(day), fromDays: day === 'tomorrow' ? 1 : 0 };
  return wait('delay_until_time', findNext(next, chosen || ownZone, now));
}

function weekdaysOf(day: OpeningHoursSettings['day']): readonly Weekday[] {
  if (day === 'any' || day === 'tomorrow') return WEEKDAYS;
  return day === 'workday' ? WEEKDAYS.slice(0, 5) : [day];
}

function wait(action: string, until: Date): TaskResult {
  const text = until.toISOString();
  return { kind: 'wait', until, output: { action, until: text }, runText: `Delayed until ${text}.` };
}

const calendarOf = ({ settings, scope }: Task, time: WorkspaceTime) =>
  chooseCalendar(renderSetting(settings.calendar, scope, 'none').trim(), time);

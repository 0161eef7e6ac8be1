import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';
import { describeCron } from './plain-schedule.ts';

/** Starts the workflow at the times of a schedule (docs/guides/schedules.md). Its output is the time it was started for. */
export const scheduleTriggerKind = {
  type: 'schedule_trigger',
  name: 'On a schedule',
  summary: 'Starts the workflow on its own, such as each weekday at 9:00.',
  category: 'trigger',
  icon: 'M16 2v4M8 2v4M3 10h18M5 4h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M12 13v3l2 1',
  isTrigger: true,
  branches: [],
  keywords: ['cron', 'timer', 'recurring', 'daily', 'weekly', 'monthly', 'every', 'clock'],
  trigger: {
    label: 'On a schedule',
    startedBy: 'none',
    firstSteps: [
      {
        text: 'Choose in the trigger when the workflow starts.',
        action: 'open_trigger',
        isDone: ({ cron }) => settingWords(cron) !== '',
      },
    ],
    whenPublished: 'The workflow then starts on its own, at the times of its schedule.',
  },
  newSettings: { cron: '0 9 * * 1-5' },
  describe: ({ cron }) => describeCron(settingWords(cron)),
  schedule: ({ cron, time_zone: zone, if_missed: ifMissed }) => ({
    cron: settingWords(cron),
    zone: settingWords(zone) || null,
    whenMissed: ifMissed === 'skip' ? 'skip' : 'once',
  }),
} as const satisfies TaskKind;

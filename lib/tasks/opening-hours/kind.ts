import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskBranch, TaskKind } from '#lib/tasks/task-kind.ts';

export const OPEN = { name: 'open', label: 'Open', color: 'positive' } as const;
export const CLOSED = {
  name: 'closed',
  label: 'Closed',
  color: 'negative',
  isTakenAfterFailure: true,
} as const;

const EXITS: readonly TaskBranch[] = [OPEN, CLOSED];

export const DAY_LABELS = {
  any: 'on any day',
  tomorrow: 'tomorrow',
  workday: 'Monday to Friday',
  monday: 'on Monday',
  tuesday: 'on Tuesday',
  wednesday: 'on Wednesday',
  thursday: 'on Thursday',
  friday: 'on Friday',
  saturday: 'on Saturday',
  sunday: 'on Sunday',
} as const;

/** Asks whether the workspace is open, and waits until it is, or until a local time (docs/guides/time.md). */
export const openingHoursKind = {
  type: 'opening_hours',
  name: 'Opening hours',
  summary: 'Checks whether you are open, or waits until you are, or until a time of day.',
  category: 'logic',
  icon: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 7v5h4',
  isTrigger: false,
  isWait: true,
  waits: ({ action }) => action === 'delay_until_open' || action === 'delay_until_time',
  branches: [],
  branchesOf: ({ action }) => (action === 'if_open' || action === undefined ? EXITS : []),
  offers: [
    {
      name: 'If open',
      summary: 'Continues on one exit during your opening hours, and on another outside of them.',
      keywords: ['business hours', 'office hours', 'closed', 'holiday', 'calendar', 'schedule', 'condition'],
      icon: 'M4 10v10h16V10M3 10l2-6h14l2 6zM9 20v-5h6v5',
      settings: { action: 'if_open' },
    },
    {
      name: 'Delay until open',
      summary: 'Waits until your opening hours begin; while you are open, it continues at once.',
      keywords: ['business hours', 'office hours', 'wait', 'opening', 'holiday', 'calendar'],
      icon: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 7v5h4',
      settings: { action: 'delay_until_open' },
    },
    {
      name: 'Delay until a time',
      summary: 'Waits until a time of day, tomorrow or on a weekday, in your time zone.',
      keywords: ['tomorrow', 'morning', 'weekday', 'clock', 'wait', 'remind', 'time zone'],
      icon: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 7v5h4',
      settings: { action: 'delay_until_time' },
    },
  ],
  describe: ({ action, calendar, day, time }) => {
    if (action !== 'delay_until_time') return settingWords(calendar);
    const at = settingWords(time);
    const words = Object.entries(DAY_LABELS).find(([name]) => name === settingWords(day))?.[1];
    return at && `${at} ${words ?? DAY_LABELS.any}`;
  },
} as const satisfies TaskKind;

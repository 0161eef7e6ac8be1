import type { TaskExample } from '#lib/tasks/task-example.ts';

export const scheduleTriggerExample: TaskExample = {
  says: 'Starts the workflow from Monday to Friday at 9:00 in Berlin.',
  event: {
    scheduled_at: '2026-01-05T08:00:00.000Z',
    date: '2026-01-05',
    time: '09:00',
    weekday: 'monday',
    zone: 'Europe/Berlin',
    is_late: false,
    missed_since: null,
    is_manual: false,
  },
  settings: { cron: '0 9 * * 1-5', time_zone: 'Europe/Berlin', if_missed: 'once' },
  output: { status: 'received' },
};

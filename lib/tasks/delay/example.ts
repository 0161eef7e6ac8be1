import type { TaskExample } from '#lib/tasks/task-example.ts';

export const delayExample: TaskExample = {
  says: 'Waits until the instant that the event names; here it has passed, so the workflow continues at once.',
  event: { remind_at: '2026-01-05T09:00:00+01:00' },
  settings: { mode: 'until', until: '{{task_1_remind_at}}' },
  output: { until: '…' },
};

import type { TaskExample } from '#lib/tasks/task-example.ts';

export const openingHoursExample: TaskExample = {
  says: 'Checks whether the calendar “Shop” of Settings → Time is open. Here it is, so the workflow continues at “Open”.',
  event: { question: 'Do you have Sea Stories?' },
  settings: { action: 'if_open', calendar: 'Shop' },
  output: { action: 'if_open', open: true },
};

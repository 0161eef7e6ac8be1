import type { TaskExample } from '#lib/tasks/task-example.ts';

export const loopExample: TaskExample = {
  says: 'Runs the tasks behind `each` once for every line of the order. They read `{{task_2_item_title}}`.',
  event: {
    lines: [
      { title: 'Sea stories', quantity: 1 },
      { title: 'Harbour maps', quantity: 2 },
    ],
  },
  settings: { items: '{{task_1_lines}}' },
  output: { count: 2, failed_count: 0 },
};

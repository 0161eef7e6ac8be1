import type { TaskExample } from '#lib/tasks/task-example.ts';

export const switchExample: TaskExample = {
  says: 'Takes the branch `case_2` for orders that were sent.',
  event: { order: { number: 'A-1001', status: 'sent' } },
  settings: {
    value: '{{task_1_order_status}}',
    cases: [
      { operator: 'equals', right: 'paid' },
      { operator: 'in_list', right: 'sent, delivered', label: 'On its way' },
    ],
  },
  output: { case: 'On its way', number: 2 },
};

import type { TaskExample } from '#lib/tasks/task-example.ts';

export const setVariablesExample: TaskExample = {
  says: 'Prepares a greeting and a total for later tasks: `{{task_2_greeting}}`, `{{task_2_total}}`.',
  event: { customer: { name: 'Kim' }, order: { total: 184.35 } },
  settings: {
    variables: [
      { name: 'greeting', value: 'Hi {{task_1_customer_name}}!' },
      { name: 'total', value: '{{number task_1_order_total 0}}' },
    ],
  },
  output: { greeting: 'Hi Kim!', total: 184 },
};

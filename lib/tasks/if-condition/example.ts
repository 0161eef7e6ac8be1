import type { TaskExample } from '#lib/tasks/task-example.ts';

export const ifConditionExample: TaskExample = {
  says: 'Takes the branch `true` for orders above 100.',
  event: { order: { number: 'A-1001', total: 184.35 } },
  settings: { conditions: [{ left: '{{task_1_order_total}}', operator: 'greater_than', right: '100' }] },
  output: { result: true },
};

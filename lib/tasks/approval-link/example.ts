import type { TaskExample } from '#lib/tasks/task-example.ts';

export const approvalLinkExample: TaskExample = {
  says: 'Creates a link to approve a refund. Send `{{task_2_url}}` to the person who decides.',
  event: { order: { number: 'A-1001', total: 184.35 } },
  settings: {
    question: 'Refund order {{task_1_order_number}}?',
    details: 'Total: {{number task_1_order_total 2}}',
    valid_amount: 2,
    valid_unit: 'days',
  },
  output: { url: '…', link_id: '…', expires_at: '…' },
};

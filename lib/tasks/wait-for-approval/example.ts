import type { TaskExample } from '#lib/tasks/task-example.ts';

export const waitForApprovalExample: TaskExample = {
  says: 'Waits for the decision about the link of task 2.',
  event: { order: { number: 'A-1001' } },
  before: [
    {
      id: 2,
      type: 'approval_link',
      name: 'Refund?',
      settings: { question: 'Refund order {{task_1_order_number}}?' },
    },
  ],
  settings: { link_id: '{{task_2_link_id}}', wait_amount: 2, wait_unit: 'days' },
  meanwhile: { approves: true },
  output: { decision: 'approved', comment: '', decided_at: '…' },
};

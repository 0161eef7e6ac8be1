import type { TaskExample } from '#lib/tasks/task-example.ts';

export const inboundWebhookExample: TaskExample = {
  says: 'Answers the caller with the number of the order.',
  event: { order: { number: 'A-1001', total: 184.35 } },
  settings: { response_body: '{"status": "received", "order": "{{order.number}}"}' },
  output: { status: 'received', order: 'A-1001' },
};

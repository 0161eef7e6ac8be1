import { EXAMPLE_CONNECTION, type TaskExample } from '#lib/tasks/task-example.ts';

export const messagingBusinessExample: TaskExample = {
  says: 'Sends an approved message template with two parameters.',
  event: { customer: { name: 'Kim', phone: '15550103001' }, order: { number: 'A-1001' } },
  settings: {
    action: 'send_template',
    app_connection_id: EXAMPLE_CONNECTION,
    business_account_id: '200000000000001',
    phone_number_id: '300000000000001',
    recipient: '{{task_1_customer_phone}}',
    template_name: 'order_confirmation',
    template_language: 'en_US',
    template_parameters: ['{{task_1_customer_name}}', '{{task_1_order_number}}'],
  },
  output: {
    action: 'send_template',
    message_id: '…',
    recipient: '15550103001',
    template_name: 'order_confirmation',
  },
};

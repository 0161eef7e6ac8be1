import type { TaskExample } from '#lib/tasks/task-example.ts';

export const httpRequestExample: TaskExample = {
  says: 'Creates a ticket in another system and reads its number as `{{task_2_body_id}}`.',
  event: { customer: { name: 'Kim' }, text: 'The parcel is damaged.' },
  settings: {
    method: 'POST',
    url: 'https://support.example.com/api/tickets',
    headers: [{ name: 'X-Source', value: 'patchbay' }],
    body_type: 'json',
    body: '{"from": "{{task_1_customer_name}}", "text": "{{task_1_text}}"}',
  },
  output: { status: 201, body: { id: 4711, from: 'Kim', text: 'The parcel is damaged.' } },
};

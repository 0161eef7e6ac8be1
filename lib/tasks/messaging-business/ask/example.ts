import { EXAMPLE_CONNECTION, type TaskExample } from '#lib/tasks/task-example.ts';

export const askExample: TaskExample = {
  says: 'Asks a customer who has written, and continues on the branch of the button.',
  event: { from: '15550103002' },
  settings: {
    app_connection_id: EXAMPLE_CONNECTION,
    phone_number_id: '300000000000001',
    recipient: '{{task_1_from}}',
    question: 'May we deliver tomorrow between 9 and 12?',
    answer_by: 'buttons',
    buttons: [{ title: 'Yes' }, { title: 'Another day' }],
    wait_amount: 1,
    wait_unit: 'days',
  },
  meanwhile: { taps: 'Yes' },
  output: { answer: 'Yes', choice: 'Yes', answer_type: 'interactive', reminders_sent: 0 },
};

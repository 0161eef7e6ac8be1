import { EXAMPLE_CONNECTION, type TaskExample } from '#lib/tasks/task-example.ts';

export const moreExample: TaskExample = {
  says: 'Sends a location to a customer who has written.',
  event: { from: '15550103003' },
  settings: {
    action: 'send_location',
    app_connection_id: EXAMPLE_CONNECTION,
    phone_number_id: '300000000000001',
    recipient: '{{task_1_from}}',
    latitude: '53.5436',
    longitude: '9.9669',
    location_name: 'Harbour Street Books',
  },
  output: { action: 'send_location', message_id: '…', recipient: '15550103003' },
};

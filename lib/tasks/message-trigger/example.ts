import { EXAMPLE_CONNECTION, type TaskExample } from '#lib/tasks/task-example.ts';

export const messageTriggerExample: TaskExample = {
  says: 'Starts when a customer writes a text with the word “table” to any number of a connection.',
  event: { kind: 'message', from: '15550102001', type: 'text', text: 'A table for two, please' },
  settings: { app_connection_id: EXAMPLE_CONNECTION, message_kinds: ['text'], words: ['table'] },
  output: { status: 'received' },
};

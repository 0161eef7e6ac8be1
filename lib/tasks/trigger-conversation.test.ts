import { expect, test } from 'vitest';
import { readTriggerConversation } from './conversation.ts';

const read = (output: Parameters<typeof readTriggerConversation>[0]['output']) =>
  readTriggerConversation({ settings: {}, output, at: '2030-01-01T10:00:00.000Z', isWaiting: false });

test('a message of a customer that started the run begins the conversation', () => {
  const message = { kind: 'message', from: '15550001111', message_id: 'wamid.1', timestamp: 1893492000 };
  expect(read({ ...message, type: 'text', text: 'Hello' })).toEqual({
    customer: '15550001111',
    messages: [
      {
        by: 'customer',
        at: '2030-01-01T10:00:00.000Z',
        text: 'Hello',
        kind: '',
        choices: [],
        template: '',
        id: 'wamid.1',
      },
    ],
  });
  expect(read({ ...message, type: 'image', text: '' })?.messages).toMatchObject([
    { text: '', kind: 'image' },
  ]);
});

test.each([[{ order: 'A-1' }], [{ kind: 'message', from: '1' }], [null]])('%j is no message', (output) => {
  expect(read(output as never)?.messages ?? []).toEqual([]);
});

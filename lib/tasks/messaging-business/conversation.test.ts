import { expect, test } from 'vitest';
import type { SpokenTaskRun } from '#lib/tasks/conversation.ts';
import { readSentConversation } from './conversation.ts';

const AT = '2030-01-01T10:00:00.000Z';
const said = { by: 'business', at: AT, choices: [], kind: '', template: '', id: 'wamid.1' };

test.each<[string, SpokenTaskRun['settings'], object, object]>([
  ['a text', { message_text: 'Hi' }, {}, { text: 'Hi' }],
  [
    'a message template',
    { template_parameters: ['Ada', 'A-1'] },
    { template_name: 'order' },
    { text: 'Ada · A-1', template: 'order' },
  ],
  [
    'the template instead of a text',
    { message_text: 'Hi', fallback_template_parameters: '["Ada"]' },
    { template_name: 'hello', sent: 'template' },
    { text: 'Ada', template: 'hello' },
  ],
  ['media', { caption: 'Our menu' }, { media_type: 'image' }, { text: 'Our menu', kind: 'image' }],
])('%s is what was said to its recipient', (_title, settings, output, expected) => {
  const sent = { recipient: '15550001111', message_id: 'wamid.1', ...output };
  expect(readSentConversation({ settings, output: sent, at: AT, isWaiting: false })).toEqual({
    customer: '15550001111',
    messages: [{ ...said, ...expected }],
  });
});

test('what sends nothing says nothing', () => {
  const nothing = { settings: {}, at: AT, isWaiting: false };
  expect(readSentConversation({ ...nothing, output: { templates: [], count: 0 } })).toBeUndefined();
  expect(readSentConversation({ ...nothing, output: null })).toBeUndefined();
});

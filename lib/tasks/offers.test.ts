// The offers of the palette and the "+", their search terms, and their cards.
import { describe, expect, test } from 'vitest';
import { checkSettings } from './check-settings.ts';
import { describeTask } from './describe-task.ts';
import { TASK_KINDS } from './kinds.ts';
import { findOffer, listOffers, listTriggerOffers, offerOf, searchOffers } from './offers.ts';
import { findTaskDefinition } from './registry.ts';

test('tasks are offered by what they do: one type with an action several times', () => {
  expect(listOffers().map(({ name }) => name)).toEqual([
    'If / Condition',
    'Switch',
    'Delay',
    'If open',
    'Delay until open',
    'Delay until a time',
    'Loop',
    'Call a workflow',
    'Approval link',
    'Wait for approval',
    'Set variables',
    'HTTP request',
    'Send template',
    'Send text',
    'Send media',
    'Get message status',
    'Mark as read',
    'Create template',
    'Get templates',
    'Ask and wait',
    'Hand over',
    'Give back',
    'Set consent',
    'If consented',
    'Remember',
    'Recall',
    'Send buttons',
    'Send list',
    'Send URL button',
    'Reply to message',
    'Request location',
    'Send location',
    'Send contacts',
    'Send sticker',
    'Send reaction',
    'Show typing',
    'Get media',
  ]);
});

test.each([
  ['wait', 'Wait for approval'],
  ['approval', 'Approval link'],
  ['question', 'Ask and wait'],
  ['pause', 'Delay'],
  ['sleep', 'Delay'],
  ['branch', 'If / Condition'],
  ['filter', 'If / Condition'],
  ['api', 'HTTP request'],
  ['fetch', 'HTTP request'],
  ['for each', 'Loop'],
  ['media', 'Send media'],
  ['delay', 'Delay'],
  ['send te', 'Send template'],
  ['assign', 'Set variables'],
  ['button', 'Send buttons'],
  ['call to action', 'Send URL button'],
  ['reply-to', 'Reply to message'],
  ['emoji', 'Send reaction'],
  ['typing', 'Show typing'],
  ['download', 'Get media'],
])('"%s" finds %s first', (search, name) => {
  expect(searchOffers(search)[0]?.name).toBe(name);
});

test.each(['whatsapp', 'sms', 'reply', 'message'])('"%s" finds everything that sends', (search) => {
  const names = searchOffers(search).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Send template', 'Send text', 'Send media']));
});

test('each trigger is offered as its own, with its words, and no other type has them', () => {
  expect(listTriggerOffers().map(({ type, name }) => [type, name])).toEqual([
    ['inbound_webhook', 'Webhook'],
    ['message_trigger', 'When a message arrives'],
    ['schedule_trigger', 'On a schedule'],
  ]);
  for (const { isTrigger, trigger } of TASK_KINDS.values()) expect(trigger !== undefined).toBe(isTrigger);
});

test('nothing is found by nonsense, and every offer by its own name', () => {
  expect(searchOffers('zzqx')).toEqual([]);
  for (const { id, name } of listOffers()) expect(searchOffers(name)[0]?.id).toBe(id);
});

test('what a new task begins with is a draft that can be saved, and shows as what was added', () => {
  for (const offer of listOffers()) {
    const definition = findTaskDefinition(offer.type) ?? expect.unreachable();
    expect(checkSettings(definition, offer.settings, 'draft').problems).toEqual([]);
    expect(offerOf(offer)).toEqual(offer);
    expect(findOffer(offer.id)).toEqual(offer);
  }
  for (const { type } of TASK_KINDS.values()) expect(offerOf({ type, settings: {} })?.type).toBe(type);
});

describe('the card', () => {
  const says = (type: string, settings: Record<string, unknown>, name = 'My task') =>
    describeTask({ type, name, settings });

  test('says what is sent to whom', () => {
    const settings = { template_name: 'order_confirmation', recipient: '{{task_1_phone}}' };
    expect(says('messaging_business', settings)).toBe('Send template · order_confirmation → {{phone}}');
    expect(says('messaging_business', { action: 'send_text', message_text: 'Hi {{task_2.JSON.a.b}}' })).toBe(
      'Send text · “Hi {{a.b}}”',
    );
  });

  test('of a trigger says what starts the workflow', () => {
    const messages = { app_connection_id: 'a', words: ['table', 'seat'] };
    expect(says('message_trigger', messages)).toBe('Message with “table”, “seat”');
    expect(says('message_trigger', { app_connection_id: 'a' })).toBe('Any message');
    expect(says('message_trigger', {})).toBe('When a message arrives');
    expect(says('inbound_webhook', {})).toBe('Inbound webhook');
  });

  test('never says the type twice', () => {
    expect(says('delay', { amount: 5 }, 'Delay 2')).toBe('5 minutes');
    expect(says('delay', {}, 'Delay')).toBe('Waits for a duration or until a date and time.');
    expect(says('messaging_business', { action: 'send_text' }, 'Send text')).toMatch(/^Sends a text within/);
  });

  test('shows the condition, the wait, the list, the address and the variables', () => {
    const conditions = [
      { left: '{{task_1_total}}', operator: 'greater_than', right: '100' },
      { left: '{{task_1_phone}}', operator: 'is_not_empty', right: '' },
    ];
    expect(says('if_condition', { conditions, match: 'any' }, 'If / Condition')).toBe(
      '{{total}} is greater than 100 or {{phone}} is not empty',
    );
    expect(says('delay', { mode: 'until', until: '{{task_1_at}}' }, 'Delay')).toBe('until {{at}}');
    expect(says('loop', { items: '{{task_1_lines}}' }, 'Loop')).toBe('each of {{lines}}');
    expect(says('loop', { count: 3, at_once: 2 }, 'Loop')).toBe('3 times, 2 at once');
    expect(says('loop', { count: 3 }, 'Loop')).toBe('3 times');
    expect(says('loop', { count: 1 }, 'Loop')).toBe('1 time');
    expect(says('delay', { amount: '1', unit: 'hours' }, 'Delay')).toBe('1 hour');
    expect(says('http_request', { url: 'https://api.example.com/{{task_1_id}}' }, 'HTTP request')).toBe(
      'GET api.example.com/{{id}}',
    );
    expect(says('set_variables', { variables: [{ name: 'a', value: '1' }, { name: '' }] })).toBe(
      'Set variables · a = 1',
    );
  });

  test.each([...TASK_KINDS.keys(), 'gone'])('of %s stands whatever a draft holds', (type) => {
    for (const junk of [null, 7, ['x', null, {}], { a: [] }, '{{']) {
      const names = Object.keys(findTaskDefinition(type)?.settings.shape ?? { any: 1 });
      expect(says(type, Object.fromEntries(names.map((name) => [name, junk])))).toEqual(expect.any(String));
    }
  });
});

// The rows of docs/messaging.md, "What can be sent": each limit is found in a draft, and before the call.
import { describe, expect, test } from 'vitest';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { ACTIONS, type Action, isSend } from './actions.ts';
import { messagingBusinessMore } from './definition.ts';
import { createMoreExecutor } from './execute.ts';

const SENDER = { app_connection_id: 'c', phone_number_id: 'p', recipient: '4915112345678' };
const button = (title: string, id = '') => ({ title, id });
const row = (title: string, more: object = {}) => ({ title, description: '', section: '', id: '', ...more });
const contact = (more: object = {}) => ({
  name: 'Ada Lovelace',
  phones: '',
  emails: '',
  organization: '',
  ...more,
});
const long = (characters: number): string => 'x'.repeat(characters);

/** Each action with only its required fields. */
const LEAST: Record<Action, Record<string, unknown>> = {
  send_buttons: { message_text: 'When?', buttons: [button('Monday')] },
  send_list: { message_text: 'Which?', list_button: 'Choose', rows: [row('Small')] },
  send_cta_url: { message_text: 'Pay here', button_text: 'Pay', button_url: 'https://example.com/pay' },
  send_reply: { message_text: 'Yes', reply_to: 'wamid.1' },
  request_location: { message_text: 'Where are you?' },
  send_location: { latitude: 52.5, longitude: '13.4' },
  send_contacts: { contacts: [contact()] },
  send_sticker: { media_url: 'https://example.com/a.webp' },
  send_reaction: { message_id: 'wamid.1' },
  show_typing: { message_id: 'wamid.1' },
  get_media: { media_id: '123456' },
};

const check = (action: Action, more: object = {}, mode: 'draft' | 'publish' = 'publish') =>
  checkSettings(messagingBusinessMore, { action, ...SENDER, ...LEAST[action], ...more }, mode).problems;
const pathsOf = (action: Action, more: object) =>
  check(action, more).map(({ path }) => path.replace('settings.', ''));

describe.each(ACTIONS)('%s', (action) => {
  test('can be published with its required fields alone, and these may be variables', () => {
    expect(check(action)).toEqual([]);
    const variables = Object.fromEntries(
      Object.entries(LEAST[action]).map(([name, value]) => [
        name,
        Array.isArray(value)
          ? [Object.fromEntries(Object.keys(value[0] as object).map((key) => [key, `{{task_1_${key}}}`]))]
          : `{{task_1_${name}}}`,
      ]),
    );
    expect(check(action, variables)).toEqual([]);
  });

  const needed = [
    'app_connection_id',
    ...(action === 'get_media' ? [] : ['phone_number_id']),
    ...(isSend(action) ? ['recipient'] : []),
    ...Object.keys(LEAST[action]),
  ];
  test.each(needed)('needs %s, which a draft may lack', (field) => {
    const missing = { [field]: Array.isArray(LEAST[action][field]) ? [] : '' };
    expect(pathsOf(action, missing)).toContain(field);
    expect(check(action, missing, 'draft')).toEqual([]);
  });

  test('in an interrupted run: what sends is flagged, all else is repeated', () => {
    const executor = createMoreExecutor(async () => expect.unreachable());
    const settings = { action, ...SENDER, ...LEAST[action] };
    expect(executor.ifInterrupted?.(settings)).toBe(isSend(action) ? 'flag' : 'retry');
    expect(executor.hasSideEffect?.(settings)).toBe(action !== 'get_media');
  });
});

const BODY_1024: Action[] = ['send_buttons', 'send_cta_url', 'request_location'];

describe('platform-conversation §1', () => {
  test.each(BODY_1024)('%s: body ≤1024', (action) => {
    expect(pathsOf(action, { message_text: long(1024) })).toEqual([]);
    expect(pathsOf(action, { message_text: long(1025) })).toEqual(['message_text']);
  });

  test.each([
    ['list', 'body ≤4096', { message_text: long(4096) }, []],
    ['list', 'body ≤4096', { message_text: long(4097) }, ['message_text']],
    ['list', 'header text only', { header_type: 'image', header_value: '123456' }, ['header_type']],
    ['list', 'header text', { header_type: 'text', header_value: 'Sizes' }, []],
    ['list', 'action.button ≤20', { list_button: long(21) }, ['list_button']],
    ['list', '≤10 rows', { rows: Array.from({ length: 10 }, (_, index) => row(`Row ${index}`)) }, []],
    ['list', '≤10 rows', { rows: Array.from({ length: 11 }, (_, index) => row(`Row ${index}`)) }, ['rows']],
    ['list', 'row title ≤24', { rows: [row(long(24)), row(long(25))] }, ['rows[1].title']],
    ['list', 'row description ≤72', { rows: [row('a', { description: long(73) })] }, ['rows[0].description']],
    ['list', 'row id ≤200', { rows: [row('a', { id: long(201) })] }, ['rows[0].id']],
    ['list', 'section title ≤24', { rows: [row('a', { section: long(25) })] }, ['rows[0].section']],
    [
      'list',
      'section title needed if >1',
      { rows: [row('a', { section: 'One' }), row('b'), row('c', { section: 'One' })] },
      ['rows[1].section'],
    ],
    ['list', 'footer ≤60', { footer: long(61) }, ['footer']],
    ['buttons', 'footer ≤60', { footer: long(61) }, ['footer']],
    ['buttons', '1–3', { buttons: ['a', 'b', 'c'].map((each) => button(each)) }, []],
    ['buttons', '1–3', { buttons: ['a', 'b', 'c', 'd'].map((each) => button(each)) }, ['buttons']],
    ['buttons', 'title ≤20', { buttons: [button(long(20)), button(long(21))] }, ['buttons[1].title']],
    ['buttons', 'id ≤256', { buttons: [button('a', long(257))] }, ['buttons[0].id']],
    ['buttons', 'unique titles', { buttons: [button('a', '1'), button('a', '2')] }, ['buttons[1].title']],
    ['buttons', 'unique ids', { buttons: [button('a', '1'), button('b', '1')] }, ['buttons[1].id']],
    ['buttons', 'an id is no other label', { buttons: [button('a'), button('b', 'a')] }, ['buttons[1].id']],
    ['buttons', 'header text ≤60', { header_type: 'text', header_value: long(61) }, ['header_value']],
    ['buttons', 'header id or link', { header_type: 'image', header_value: 'a.png' }, ['header_value']],
    ['buttons', 'header link', { header_type: 'video', header_value: 'https://example.com/a.mp4' }, []],
    ['buttons', 'header needs its file', { header_type: 'document' }, ['header_value']],
    ['cta_url', 'display_text ≤20', { button_text: long(21) }, ['button_text']],
    ['cta_url', 'url', { button_url: 'example.com' }, ['button_url']],
    ['location', 'latitude', { latitude: 90.5 }, ['latitude']],
    ['location', 'longitude', { longitude: '-180.1' }, ['longitude']],
    ['location', 'numbers', { latitude: 'north' }, ['latitude']],
    ['contacts', 'name', { contacts: [contact({ name: '' })] }, ['contacts[0].name']],
    ['contacts', 'phones', { contacts: [contact({ phones: '+49 151 1, 555' })] }, []],
    ['contacts', 'phones', { contacts: [contact({ phones: '555, call me' })] }, ['contacts[0].phones']],
    ['contacts', 'emails', { contacts: [contact({ emails: 'ada' })] }, ['contacts[0].emails']],
    ['sticker', 'id or link, not both', { media_id: '123456' }, ['media_id']],
    ['reaction', 'an emoji', { emoji: '👍🏽' }, []],
    ['reaction', 'a flag', { emoji: '🇩🇪' }, []],
    ['reaction', '"" removes', { emoji: '' }, []],
    ['reaction', 'one emoji', { emoji: '👍👍' }, ['emoji']],
    ['reaction', 'no text', { emoji: 'a' }, ['emoji']],
    ['reply', 'text ≤4096', { message_text: long(4097) }, ['message_text']],
  ] as [string, string, object, string[]][])('%s, %s: %j', (what, _limit, more, paths) => {
    expect(pathsOf(`send_${what}` as Action, more)).toEqual(paths);
  });
});

test('what a variable gives is not measured before it is known', () => {
  expect(pathsOf('send_buttons', { message_text: `{{task_1_text}}${long(2000)}` })).toEqual([]);
});

// Against the sandbox: refused messages, and captured ones in runs of a draft.
import { describe, expect, test } from 'vitest';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import { setUpSending } from '#lib/messaging/testing/sending.ts';
import { ACTIONS } from './actions.ts';
import { failMore, hear, runMore } from './testing/run-more.ts';

const sending = setUpSending();
const BUTTONS = {
  action: 'send_buttons',
  message_text: 'When do you come?',
  buttons: [{ title: 'Monday', id: '' }],
};

describe('what cannot be sent', () => {
  test('limits are checked again with what variables gave, before any call', async () => {
    const before = (await sending.world.calls()).length;
    const title = '{{task_1_day}}';
    const error = await failMore(
      sending,
      { ...BUTTONS, buttons: [{ title, id: '' }] },
      { body: { day: 'x'.repeat(21) } },
    );
    expect(error).toMatchObject({ code: 'invalid_field', output: { action: 'send_buttons' } });
    expect(error.message).toBe('buttons.0.title: The label has 21 characters: at most 20 are possible.');
    const missing = await failMore(
      sending,
      { ...BUTTONS, message_text: '{{task_1_nothing}}' },
      { body: { day: 'a' } },
    );
    expect(missing).toMatchObject({ code: 'missing_field', message: 'message_text: Enter a text.' });
    expect((await sending.world.calls()).length).toBe(before);
  });

  test('outside of the 24-hour window', async () => {
    const settings = { ...BUTTONS, buttons: [{ title: 'a', id: '' }], recipient: '15550004445' };
    expect(await failMore(sending, settings)).toMatchObject({
      code: 'window_expired',
      retry: { kind: 'never' },
    });
    await sending.world.runtime.hot.query(
      `insert into conversation_windows values ($1, $2, '15550004445', now() - interval '25 hours', 'wamid.x')`,
      [sending.world.workspaceId, PLATFORM_IDS.booksOrders],
    );
    const before = (await sending.world.calls()).length;
    expect((await failMore(sending, settings)).message).toMatch(
      /^Window expired: the customer last wrote at/,
    );
    expect((await sending.world.calls()).length).toBe(before);
  });

  test('an answer that is lost after a send is flagged, after typing it is asked for again', async () => {
    const messageId = await hear(sending);
    await sending.world.control('POST', 'faults', { kind: 'drop', times: 2 });
    const sent = await failMore(sending, { action: 'send_location', latitude: 1, longitude: 2 });
    expect(sent).toMatchObject({ code: 'answer_lost', outcomeUnknown: true });
    const typing = await failMore(sending, { action: 'show_typing', message_id: messageId });
    expect(typing).toMatchObject({ code: 'answer_lost', outcomeUnknown: false, retry: { kind: 'backoff' } });
  });

  test('a sticker that is no WebP file: media failure in the platform’s words', async () => {
    await hear(sending);
    const error = await failMore(sending, {
      action: 'send_sticker',
      media_url: `${sending.filesUrl}/image/png/100`,
    });
    expect(error).toMatchObject({ code: 'media_failure' });
  });
});

const LEAST: Readonly<Record<string, Record<string, unknown>>> = {
  send_buttons: { message_text: 'When?', buttons: [{ title: 'Monday', id: '' }] },
  send_list: {
    message_text: 'Which?',
    list_button: 'Choose',
    rows: [{ title: 'Small', description: '', section: '', id: '' }],
  },
  send_cta_url: { message_text: 'Pay', button_text: 'Pay', button_url: 'https://example.com' },
  send_reply: { message_text: 'Yes', reply_to: 'wamid.1' },
  request_location: { message_text: 'Where?' },
  send_location: { latitude: 1, longitude: 2 },
  send_contacts: { contacts: [{ name: 'Kim', phones: '', emails: '', organization: '' }] },
  send_sticker: { media_url: 'https://example.com/a.webp' },
  send_reaction: { message_id: 'wamid.1', emoji: '👍' },
  show_typing: { message_id: 'wamid.1' },
};

test.each(ACTIONS.filter((action) => action !== 'get_media'))(
  'in a run of the draft %s is captured, and the platform is not asked',
  async (action) => {
    const before = (await sending.world.calls()).length;
    const captured: unknown[] = [];
    const { output } = await runMore(sending, { action, ...LEAST[action] }, { draft: {}, captured });
    expect(output).toMatchObject({ action });
    expect(captured).toHaveLength(1);
    expect((await sending.world.calls()).length).toBe(before);
  },
);

// Each action against the sandbox: the posted message, and the one on the customer's phone.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/core/json/value.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';
import { hear, runMore } from './testing/run-more.ts';

const sending = setUpSending();
const TO = { messaging_product: 'whatsapp', to: CUSTOMER };

const BUTTONS = {
  action: 'send_buttons',
  message_text: 'When do you come, {{task_1_name}}?',
  buttons: [
    { title: 'Monday', id: '' },
    { title: '{{task_1_day}}', id: 'day-2' },
  ],
};
const button = (id: string, title: string) => ({ type: 'reply', reply: { id, title } });

describe('platform-conversation §1', () => {
  test.each<[string, Record<string, unknown>, JsonObject, string]>([
    [
      'button',
      {
        ...BUTTONS,
        header_type: 'text',
        header_value: 'Appointment',
        footer: 'Or write to us',
      },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'text', text: 'Appointment' },
          body: { text: 'When do you come, Kim?' },
          footer: { text: 'Or write to us' },
          action: { buttons: [button('Monday', 'Monday'), button('day-2', 'Tuesday')] },
        },
      },
      'Buttons sent successfully.',
    ],
    [
      'list',
      {
        action: 'send_list',
        message_text: 'Which?',
        list_button: 'Sizes',
        rows: [
          { title: 'Small', description: 'Up to 10', section: 'Boxes', id: 's' },
          { title: 'Roll', description: '', section: 'Paper', id: '' },
          { title: 'Large', description: '', section: 'Boxes', id: '' },
        ],
      },
      {
        type: 'interactive',
        interactive: {
          type: 'list',
          body: { text: 'Which?' },
          action: {
            button: 'Sizes',
            sections: [
              {
                title: 'Boxes',
                rows: [
                  { id: 's', title: 'Small', description: 'Up to 10' },
                  { id: 'Large', title: 'Large' },
                ],
              },
              { title: 'Paper', rows: [{ id: 'Roll', title: 'Roll' }] },
            ],
          },
        },
      },
      'List sent successfully.',
    ],
    [
      'cta_url',
      {
        action: 'send_cta_url',
        message_text: 'Your invoice',
        button_text: 'Pay now',
        button_url: 'https://example.com/pay/{{task_1_name}}',
      },
      {
        type: 'interactive',
        interactive: {
          type: 'cta_url',
          body: { text: 'Your invoice' },
          action: {
            name: 'cta_url',
            parameters: { display_text: 'Pay now', url: 'https://example.com/pay/Kim' },
          },
        },
      },
      'URL button sent successfully.',
    ],
    [
      'location_request_message',
      { action: 'request_location', message_text: 'Where are you?' },
      {
        type: 'interactive',
        interactive: {
          type: 'location_request_message',
          body: { text: 'Where are you?' },
          action: { name: 'send_location' },
        },
      },
      'Location requested successfully.',
    ],
    [
      'location',
      { action: 'send_location', latitude: 52.5163, longitude: '13.3777', location_name: 'Our shop' },
      { type: 'location', location: { latitude: 52.5163, longitude: 13.3777, name: 'Our shop' } },
      'Location sent successfully.',
    ],
    [
      'contacts',
      {
        action: 'send_contacts',
        contacts: [
          {
            name: '{{task_1_name}} Guest',
            phones: '+49 151 1234567, +49 30 123',
            emails: 'kim@example.com',
            organization: 'Example',
          },
        ],
      },
      {
        type: 'contacts',
        contacts: [
          {
            name: { formatted_name: 'Kim Guest', first_name: 'Kim Guest' },
            phones: [
              { phone: '+49 151 1234567', type: 'CELL' },
              { phone: '+49 30 123', type: 'CELL' },
            ],
            emails: [{ email: 'kim@example.com', type: 'WORK' }],
            org: { company: 'Example' },
          },
        ],
      },
      'Contacts sent successfully.',
    ],
    [
      'sticker',
      { action: 'send_sticker', media_url: 'https://example.com/smile.webp' },
      { type: 'sticker', sticker: { link: 'https://example.com/smile.webp' } },
      'Sticker sent successfully.',
    ],
  ])('%s: the body of the call, and the message on the phone', async (_, settings, body, runText) => {
    await hear(sending);
    const record: string[] = [];
    const sent = await runMore(sending, settings, { body: { name: 'Kim', day: 'Tuesday' }, record });
    expect((await sending.lastCall())?.body).toEqual({ ...TO, ...body });
    expect(sent).toMatchObject({
      runText,
      output: {
        action: settings['action'],
        recipient: CUSTOMER,
        message_id: expect.stringMatching(/^wamid/) as string,
      },
    });
    expect(record).toEqual(['recorded']);
    expect((await sending.world.messages(`to=${CUSTOMER}`)).at(-1)).toMatchObject({
      id: sent.output['message_id'],
      type: body['type'],
    });
    const { rows } = await sending.world.runtime.hot.query<{ kind: string }>(
      'select kind from sent_messages where message_id = $1',
      [sent.output['message_id']],
    );
    expect(rows).toHaveLength(1);
  });

  test('reaction: put on a message of the customer, and removed', async () => {
    const messageId = await hear(sending);
    for (const emoji of ['👍', '']) {
      await runMore(sending, { action: 'send_reaction', message_id: messageId, emoji });
      const reaction = { message_id: messageId, emoji };
      expect((await sending.lastCall())?.body).toEqual({ ...TO, type: 'reaction', reaction });
    }
  });

  test('Reply-to: context on what is sent', async () => {
    const messageId = await hear(sending);
    const context = { message_id: messageId };
    await runMore(
      sending,
      { action: 'send_reply', message_text: 'We are open', reply_to: '{{task_1_message_id}}' },
      {
        body: { message_id: messageId },
      },
    );
    expect((await sending.lastCall())?.body).toEqual({
      ...TO,
      context,
      type: 'text',
      text: { body: 'We are open', preview_url: false },
    });
    await runMore(sending, { action: 'send_location', latitude: 1, longitude: 2, reply_to: messageId });
    expect((await sending.lastCall())?.body).toMatchObject({ context, type: 'location' });
  });

  test('Typing: mark as read + typing_indicator', async () => {
    const messageId = await hear(sending);
    const { output, runText } = await runMore(sending, { action: 'show_typing', message_id: messageId });
    expect((await sending.lastCall())?.body).toEqual({
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: messageId,
      typing_indicator: { type: 'text' },
    });
    expect({ output, runText }).toEqual({
      output: { action: 'show_typing', success: true },
      runText: 'Message marked as read, and typing shown.',
    });
  });

  test('recipient: a user id in place of to', async () => {
    await hear(sending);
    const userId = `US.1349${CUSTOMER}`;
    await runMore(sending, { ...BUTTONS, buttons: [{ title: 'Monday', id: '' }], recipient: userId });
    const call = await sending.lastCall();
    expect(call?.body).toMatchObject({ recipient: userId });
    expect(call?.body).not.toHaveProperty('to');
  });
});

import { expect, test } from 'vitest';
import { readCaptured } from './read-captured.ts';

const message = (sent: object) =>
  readCaptured(
    JSON.stringify({
      kind: 'message',
      connection_id: 'c1',
      account_id: 'a1',
      phone_number_id: 'p1',
      recipient: '15550001111',
      message: sent,
    }),
  );

test('a text is what the phone shows', () => {
  expect(message({ type: 'text', body: 'Hello *Kim*', previewUrl: false })).toMatchObject({
    kind: 'message',
    recipient: '15550001111',
    template: undefined,
    preview: { body: 'Hello *Kim*' },
  });
});

const texts = { text: 'When?', footer: '' };
test.each([
  [
    {
      type: 'buttons',
      ...texts,
      header: { type: 'text', text: 'Visit' },
      buttons: [{ id: '1', title: 'Mon' }],
    },
    { header: { format: 'TEXT', text: 'Visit' }, body: 'When?', footer: null, buttons: [{ text: 'Mon' }] },
  ],
  [
    { type: 'list', ...texts, footer: 'Tap', listButton: 'Choose', sections: [] },
    { footer: 'Tap', buttons: [{ text: 'Choose' }] },
  ],
  [
    { type: 'cta_url', ...texts, label: 'Pay', url: 'https://example.com' },
    { buttons: [{ type: 'URL', text: 'Pay', target: 'https://example.com' }] },
  ],
  [{ type: 'location_request', ...texts }, { buttons: [{ text: 'Send location' }] }],
  [{ type: 'location', latitude: 1, longitude: 2, name: '', address: '' }, { body: '📍 1, 2' }],
  [{ type: 'contacts', contacts: [{ name: 'Kim', phones: ['1'] }] }, { body: '👤 Kim 1' }],
  [{ type: 'sticker', source: { id: '1' } }, { header: { format: 'IMAGE' } }],
  [{ type: 'reaction', messageId: 'x', emoji: '' }, { body: 'Removes the reaction' }],
])('%j is shown on the phone', (sent, preview) => {
  expect(message(sent)).toMatchObject({ kind: 'message', preview });
});

test('a message template is asked for with its values, and until then its values are shown', () => {
  const filled = (key: string, value: string) => ({ slot: { key, in: 'body', takes: 'text' }, value });
  expect(
    message({
      type: 'template',
      name: 'order_ready',
      language: 'en_US',
      values: [filled('header', 'A-1'), filled('body_first_name', 'Kim'), filled('card_0_body_1', '25')],
    }),
  ).toMatchObject({
    template: {
      query:
        'connection=c1&name=order_ready&language=en_US&account=a1&value.header=A-1&value.body_first_name=Kim&value.card_0_body_1=25',
    },
    preview: { body: '{{first_name}} = Kim' },
  });
});

test('the same as version 0.2.0 captured it', () => {
  expect(
    message({
      type: 'template',
      name: 'order_confirmation',
      language: 'en_US',
      parameters: ['Kim', 'A-1'],
      button: { index: 0, text: 'x' },
    }),
  ).toMatchObject({
    template: {
      name: 'order_confirmation (en_US)',
      query:
        'connection=c1&name=order_confirmation&language=en_US&account=a1&value.body_1=Kim&value.body_2=A-1&value.button_0=x',
    },
    preview: { body: '{{1}} = Kim\n{{2}} = A-1' },
  });
});

test('a request is shown as it would leave; what is not known stays as it is', () => {
  const request = {
    kind: 'request',
    method: 'POST',
    url: 'https://example.com/',
    headers: { a: 'b' },
    body: '{}',
  };
  expect(readCaptured(JSON.stringify(request))).toEqual({
    kind: 'request',
    text: 'POST https://example.com/\na: b\n\n{}',
  });
  expect(readCaptured('{"kind":"new"}')).toEqual({ kind: 'other' });
});

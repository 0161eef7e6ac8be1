// A second third-party client; its requests for graph.facebook.com are sent to the sandbox instead.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  ActionButtons,
  ActionContactRequest,
  ActionCTA,
  ActionList,
  ActionLocation,
  ActionNavigateFlow,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Contacts,
  Document,
  Footer,
  Header,
  Image,
  Interactive,
  ListSection,
  Location,
  Name,
  Phone,
  Reaction,
  Row,
  Sticker,
  Template,
  Text,
  URLComponent,
} from 'whatsapp-api-js/messages';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const CUSTOMER = '15557010123';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.each([
  ['as the spec has it', false],
  ['strict', true],
])('%s', (_name, strict) => {
  let sandbox: TestSandbox;
  let api: WhatsAppAPI;
  beforeAll(async () => {
    sandbox = await startTestSandbox({ settings: { strict } });
    await sandbox.openWindow(CUSTOMER);
    const toSandbox: typeof fetch = (input, init) => {
      const asked = input instanceof Request ? input.url : String(input);
      return fetch(asked.replace('https://graph.facebook.com', sandbox.url), init);
    };
    api = new WhatsAppAPI({
      token: sandbox.token(),
      secure: false,
      v: 'v24.0',
      ponyfill: { fetch: toSandbox },
    });
  });
  afterAll(() => sandbox.close());

  async function sendAndSee(message: Parameters<typeof api.sendMessage>[2], context?: string) {
    const answer = await api.sendMessage(IDS.booksOrders, CUSTOMER, message, context);
    if (!('messages' in answer)) throw new Error(JSON.stringify(answer));
    return sandbox.control('GET', `messages/${encodeURIComponent(answer.messages[0].id)}`);
  }

  test('text with a preview', async () => {
    expect(await sendAndSee(new Text('See https://example.com/x', true))).toMatchObject({
      type: 'text',
      rendered: { linkPreview: 'https://example.com/x' },
    });
  });

  test('template with body parameters and a URL button', async () => {
    const body = new BodyComponent(new BodyParameter('Guest'), new BodyParameter('two books'));
    expect(
      await sendAndSee(new Template('abandoned_cart', 'en_US', body, new URLComponent('77'))),
    ).toMatchObject({
      text: 'Hi Guest, you left two books in your cart. We keep it for you until tomorrow.',
      rendered: { buttons: [{ target: 'https://example.com/cart/77' }] },
    });
  });

  test('media by link and by the id of an upload', async () => {
    const link = `${sandbox.url}/public/samples/invoice.pdf`;
    expect(await sendAndSee(new Document(link, false, 'Your invoice', 'invoice.pdf'))).toMatchObject({
      text: 'Your invoice',
    });
    const form = new FormData();
    form.set('file', new Blob([PNG], { type: 'image/png' }), 'dot.png');
    const uploaded = await api.uploadMedia(IDS.booksOrders, form);
    if (!('id' in uploaded)) throw new Error(JSON.stringify(uploaded));
    expect(await sendAndSee(new Image(uploaded.id, true, 'A dot'))).toMatchObject({
      type: 'image',
      text: 'A dot',
    });
    const media = await api.retrieveMedia(uploaded.id);
    if (!('url' in media)) throw new Error(JSON.stringify(media));
    expect(Buffer.from(await (await api.fetchMedia(media.url)).arrayBuffer())).toEqual(PNG);
    expect(await api.deleteMedia(uploaded.id)).toEqual({ success: true });
  });

  test('everything that can be tapped', async () => {
    const body = new Body('When?');
    const buttons = new ActionButtons(new Button('mon', 'Monday'), new Button('tue', 'Tuesday'));
    expect(
      await sendAndSee(new Interactive(buttons, body, new Header('Appointment'), new Footer('Tap one'))),
    ).toMatchObject({
      text: 'When?',
      rendered: {
        header: 'Appointment',
        footer: 'Tap one',
        buttons: [{ text: 'Monday' }, { text: 'Tuesday' }],
      },
    });
    const list = new ActionList('Choose', new ListSection('Sizes', new Row('s', 'Small', 'Up to 10')));
    expect(await sendAndSee(new Interactive(list, body))).toMatchObject({
      rendered: { list: { button: 'Choose', sections: [{ title: 'Sizes', rows: [{ id: 's' }] }] } },
    });
    for (const [action, text] of [
      [new ActionCTA('Pay', 'https://example.com/pay'), 'Pay'],
      [new ActionNavigateFlow('token-1', '77', 'Book', 'START'), 'Book'],
    ] as const)
      expect(await sendAndSee(new Interactive(action as ActionCTA, body))).toMatchObject({
        rendered: { buttons: [{ text }] },
      });
    expect(await sendAndSee(new Interactive(new ActionLocation(), body))).toMatchObject({
      rendered: { buttons: [{ payload: 'location' }] },
    });
    expect(await sendAndSee(new Interactive(new ActionContactRequest(), body))).toMatchObject({
      rendered: { buttons: [{ payload: 'contacts' }] },
    });
  });

  test('a location, contacts, a sticker, a reaction and a reply', async () => {
    const { id } = await sandbox.openWindow(CUSTOMER);
    const messageId = String(id);
    expect(await sendAndSee(new Location(13.4, 52.5, 'Our shop'))).toMatchObject({
      payload: { location: { latitude: 52.5, longitude: 13.4, name: 'Our shop' } },
    });
    const contacts = new Contacts([new Name('Kim Guest', 'Kim'), new Phone('+4930123', 'WORK')]);
    expect(await sendAndSee(contacts)).toMatchObject({
      payload: { contacts: [{ name: { formatted_name: 'Kim Guest' }, phones: [{ phone: '+4930123' }] }] },
    });
    expect(await sendAndSee(new Sticker(`${sandbox.url}/public/samples/sticker.webp`))).toMatchObject({
      type: 'sticker',
    });
    expect(await sendAndSee(new Reaction(messageId, '👍'))).toMatchObject({ type: 'reaction' });
    expect(await sendAndSee(new Text('We are open'), messageId)).toMatchObject({
      payload: { context: { message_id: messageId } },
    });
  });

  test('mark as read', async () => {
    const { id } = await sandbox.openWindow(CUSTOMER);
    expect(await api.markAsRead(IDS.booksOrders, String(id), 'text')).toEqual({ success: true });
  });

  test('errors come back in their shape', async () => {
    const answer = await api.sendMessage(IDS.booksOrders, CUSTOMER, new Template('nothing_here', 'en_US'));
    expect(answer).toMatchObject({
      error: { code: 132001, type: 'OAuthException', error_data: { messaging_product: 'whatsapp' } },
    });
  });
});

// A second client that nobody here wrote; its requests for graph.facebook.com are sent to the sandbox instead.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  BodyComponent,
  BodyParameter,
  Document,
  Image,
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

let sandbox: TestSandbox;
let api: WhatsAppAPI;
beforeAll(async () => {
  sandbox = await startTestSandbox();
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

async function sendAndSee(message: Parameters<typeof api.sendMessage>[2]) {
  const answer = await api.sendMessage(IDS.booksOrders, CUSTOMER, message);
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

// A third third-party client. Besides messages it supports the calls of going live: numbers, subscriptions, templates with
// named parameters, and a receiver's handshake and signatures. Its calls have no API version.
import Client, { MessageType } from '@great-detail/whatsapp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startReceiver } from './testing/test-receiver.ts';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const CUSTOMER = '15557010123';
const APP = { id: '900000000000001', secret: 'the-secret-of-the-app' };
const VERIFY_TOKEN = 'chosen-by-the-receiver';
const phoneNumberID = IDS.booksOrders;
const businessAccountID = IDS.books;
const to = { phoneNumberID, to: CUSTOMER };

describe.each([
  ['as the spec has it', false],
  ['strict', true],
])('%s', (_name, strict) => {
  let sandbox: TestSandbox;
  let client: Client;
  beforeAll(async () => {
    const settings = { strict, template_review_ms: 0, sent_after_ms: 0, delivered_after_ms: 0 };
    sandbox = await startTestSandbox({ client: APP, settings });
    await sandbox.openWindow(CUSTOMER);
    client = new Client({
      baseUrl: sandbox.url,
      graphVersion: 'v24.0',
      request: { headers: bearer(), retry: 0, throwHttpErrors: false },
    });
  });
  afterAll(() => sandbox.close());

  const bearer = () => ({ Authorization: `Bearer ${sandbox.token()}` });

  /** Sends, and checks the customer's message. */
  async function sendAndSee(message: Parameters<typeof client.message.createMessage>[0]) {
    const answer = await client.message.createMessage(message).json();
    if (!('messages' in answer)) throw new Error(JSON.stringify(answer));
    return sandbox.control('GET', `messages/${encodeURIComponent(answer.messages[0]?.id ?? '')}`);
  }

  test('text, as an answer to a message', async () => {
    const { id } = await sandbox.openWindow(CUSTOMER);
    const context = { message_id: String(id) };
    const text = { body: 'We are open', preview_url: false };
    expect(await sendAndSee({ ...to, type: MessageType.Text, text, context })).toMatchObject({
      text: 'We are open',
      payload: { context },
    });
  });

  test('a template with positional parameters, a picture and a URL button', async () => {
    const image = { link: `${sandbox.url}/public/samples/parcel.png` };
    const template = {
      name: 'shipping_update',
      language: { code: 'en_US' as const },
      components: [
        { type: 'header' as const, parameters: [{ type: MessageType.Image as const, image }] },
        {
          type: 'body' as const,
          parameters: [
            { type: 'text' as const, text: 'Guest' },
            { type: 'text' as const, text: 'A-1' },
          ],
        },
      ],
    };
    const button = {
      type: 'button',
      sub_type: 'url',
      index: '0',
      parameters: [{ type: 'text', text: 'A-1' }],
    };
    const message = {
      ...to,
      type: MessageType.Template as const,
      template: { ...template, components: [...template.components, button as never] },
    };
    expect(await sendAndSee(message)).toMatchObject({
      text: 'Good news, Guest: parcel A-1 left our warehouse today.',
      rendered: { media: { kind: 'image' }, buttons: [{ target: 'https://example.com/track/A-1' }, {}] },
    });
  });

  test('a template with named parameters is created, listed, sent and deleted', async () => {
    const name = 'made_by_great_detail';
    const body = {
      type: 'BODY' as const,
      text: 'Your order {{order}} is ready, {{guest}}.',
      example: {
        body_text_named_params: [
          { param_name: 'order', example: 'A-1' },
          { param_name: 'guest', example: 'Kim' },
        ],
      },
    };
    const created = await client.template
      .create(businessAccountID, {
        name,
        language: 'en_US',
        category: 'UTILITY',
        parameter_format: 'NAMED',
        components: [body],
      })
      .json();
    expect(created).toMatchObject({ status: 'PENDING', category: 'UTILITY' });
    await expect.poll(async () => (await client.template.get(created.id, {}).json()).status).toBe('APPROVED');
    const { data } = await client.template.list(businessAccountID, { limit: 100 }).json();
    expect(data.map((template) => template.name)).toContain(name);
    const parameters = [
      { type: 'text' as const, parameter_name: 'guest', text: 'Kim' },
      { type: 'text' as const, parameter_name: 'order', text: 'B-7' },
    ];
    const template = {
      name,
      language: { code: 'en_US' as const },
      components: [{ type: 'body' as const, parameters }],
    };
    expect(await sendAndSee({ ...to, type: MessageType.Template, template })).toMatchObject({
      text: 'Your order B-7 is ready, Kim.',
    });
    expect(await client.template.delete(businessAccountID, { name }).json()).toEqual({ success: true });
  });

  test('media: upload, look up, download, send, delete', async () => {
    const bytes = Buffer.from('a sample document');
    const { id } = await client.media
      .upload({
        phoneNumberID,
        mimeType: 'application/pdf',
        filename: 'sample.pdf',
        file: new Blob([bytes], { type: 'application/pdf' }),
      })
      .json();
    const found = await client.media.getURL({ mediaID: id }).json();
    expect(found).toMatchObject({ id, mime_type: 'application/pdf' });
    const download = await client.media.download({
      mediaURL: found.url,
      request: { headers: bearer() },
    });
    expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes);
    const document = { id, filename: 'sample.pdf', caption: 'Here' };
    expect(await sendAndSee({ ...to, type: MessageType.Document, document })).toMatchObject({ text: 'Here' });
    expect(await client.media.delete({ mediaID: id }).json()).toEqual({ success: true });
  });

  test('reply buttons, a list, a URL button and a location', async () => {
    const body = { text: 'When?' };
    const buttons = [{ type: 'reply' as const, reply: { id: 'mon', title: 'Monday' } }];
    const rows = [{ id: 's', title: 'Small', description: 'Up to 10' }];
    const parameters = { display_text: 'Pay', url: 'https://example.com/pay' };
    const type = MessageType.Interactive as const;
    expect(
      await sendAndSee({ ...to, type, interactive: { type: 'button', body, action: { buttons } } }),
    ).toMatchObject({ rendered: { buttons: [{ text: 'Monday' }] } });
    const action = { button: 'Choose', sections: [{ title: 'Sizes', rows }] };
    expect(await sendAndSee({ ...to, type, interactive: { type: 'list', body, action } })).toMatchObject({
      rendered: { list: { button: 'Choose' } },
    });
    const link = { name: 'cta_url' as const, parameters };
    expect(
      await sendAndSee({ ...to, type, interactive: { type: 'cta_url', body, action: link } }),
    ).toMatchObject({ rendered: { buttons: [{ target: parameters.url }] } });
    const location = { latitude: 52.5, longitude: 13.4, name: 'Our shop', address: 'Harbour Street 1' };
    expect(await sendAndSee({ ...to, type: MessageType.Location, location })).toMatchObject({
      payload: { location },
    });
  });

  test('mark as read, with typing', async () => {
    const { id } = await sandbox.openWindow(CUSTOMER);
    const status = { phoneNumberID, message_id: String(id), status: 'read' };
    expect(
      await client.message.createStatus({ ...status, typing_indicator: { type: 'text' } }).json(),
    ).toMatchObject({ success: true });
  });

  test('numbers of an account, and the health of one', async () => {
    const { data } = await client.phoneNumbers.listPhoneNumbers({ businessAccountID }).json();
    expect(data.map(({ id }) => id)).toContain(phoneNumberID);
    const fields = ['id', 'status', 'quality_rating', 'health_status'] as const;
    const number = await client.phoneNumbers.getPhoneNumber({ phoneNumberID, fields: [...fields] }).json();
    expect(number).toMatchObject({
      status: 'CONNECTED',
      quality_rating: 'GREEN',
      health_status: { entities: expect.arrayContaining([]) as object },
    });
  });

  test('subscribing, the handshake of an override, and signatures of what then arrives', async () => {
    const { webhook } = client;
    const shakeHands: Parameters<typeof startReceiver>[0] = ({ method, url }, response) => {
      const query = Object.fromEntries(new URL(url, 'http://receiver').searchParams);
      if (method !== 'GET') return void response.writeHead(200).end();
      void webhook
        .register({ method, query, headers: {} })
        .then(({ verifyToken, accept }) =>
          response.writeHead(verifyToken === VERIFY_TOKEN ? 200 : 403).end(accept()),
        );
    };
    const receiver = await startReceiver(shakeHands);
    const fields = { object: 'whatsapp_business_account', callback_url: receiver.url, fields: 'messages' };
    const app = { ...fields, verify_token: VERIFY_TOKEN };
    await sandbox.graph('POST', `${APP.id}/subscriptions`, app, `${APP.id}|${APP.secret}`);
    expect(await client.subscribedApps.createSubscription({ businessAccountID }).json()).toEqual({
      success: true,
    });
    const override = { override_callback_uri: receiver.url, verify_token: VERIFY_TOKEN };
    expect(await client.subscribedApps.createSubscription({ businessAccountID, ...override }).json()).toEqual(
      {
        success: true,
      },
    );
    const { data } = await client.subscribedApps.listSubscriptions({ businessAccountID }).json();
    expect(data.map((each) => each.whatsapp_business_api_data.id)).toEqual([APP.id]);
    await sandbox.openWindow(CUSTOMER);
    const arrived = () => receiver.received.find(({ method }) => method === 'POST');
    await expect.poll(arrived).toBeDefined();
    const { method = '', body = '', headers = {} } = arrived() ?? {};
    const event = await webhook.eventNotification({
      method,
      query: {},
      body,
      headers: headers as Record<string, string>,
    });
    expect(await event.checkSignature(APP.secret)).toBe(true);
    expect(await event.checkSignature('another')).toBe(false);
    expect(event.eventNotification.entry[0]?.id).toBe(businessAccountID);
    await receiver.close();
  });

  test('errors come with code and details', async () => {
    const template = { name: 'nothing_here', language: { code: 'en_US' as const }, components: [] };
    const answer = await client.message.createMessage({ ...to, type: MessageType.Template, template }).json();
    expect(answer.error).toMatchObject({ code: 132001, error_data: { messaging_product: 'whatsapp' } });
  });
});

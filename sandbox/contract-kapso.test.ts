// A third-party client against the sandbox: its requests are accepted, and the responses have the fields that it reads.
import { GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const CUSTOMER = '15557010123';
const phoneNumberId = IDS.booksOrders;
const businessAccountId = IDS.books;

describe.each([
  ['as the spec has it', false],
  ['strict', true],
])('%s', (_name, strict) => {
  let sandbox: TestSandbox;
  let client: WhatsAppClient;
  beforeAll(async () => {
    sandbox = await startTestSandbox({ settings: { strict, template_review_ms: 0 } });
    await sandbox.openWindow(CUSTOMER);
    client = new WhatsAppClient({ accessToken: sandbox.token(), baseUrl: sandbox.url });
  });
  afterAll(() => sandbox.close());

  const received = async (answer: { messages: { id: string }[] }) =>
    sandbox.control('GET', `messages/${encodeURIComponent(answer.messages[0]?.id ?? '')}`);

  test('text', async () => {
    const answer = await client.messages.sendText({
      phoneNumberId,
      to: `+${CUSTOMER}`,
      body: 'Hello',
      previewUrl: true,
    });
    expect(answer).toMatchObject({ contacts: [{ input: `+${CUSTOMER}`, waId: CUSTOMER }] });
    expect(await received(answer)).toMatchObject({ direction: 'out', text: 'Hello', customer: CUSTOMER });
  });

  test('template with a body, an image header and a URL button', async () => {
    const answer = await client.messages.sendTemplate({
      phoneNumberId,
      to: CUSTOMER,
      template: {
        name: 'shipping_update',
        language: { code: 'en_US' },
        components: [
          {
            type: 'header',
            parameters: [{ type: 'image', image: { link: `${sandbox.url}/public/samples/parcel.png` } }],
          },
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Guest' },
              { type: 'text', text: 'A-1' },
            ],
          },
          { type: 'button', subType: 'url', index: '0', parameters: [{ type: 'text', text: 'A-1' }] },
        ],
      },
    });
    expect(await received(answer)).toMatchObject({
      template_name: 'shipping_update',
      text: 'Good news, Guest: parcel A-1 left our warehouse today.',
      rendered: {
        media: { kind: 'image' },
        buttons: [{ target: 'https://example.com/track/A-1' }, { type: 'PHONE_NUMBER' }],
      },
    });
  });

  test('upload, look up and download media, and send it', async () => {
    const bytes = Buffer.from('a sample document');
    const { id } = await client.media.upload({
      phoneNumberId,
      type: 'application/pdf',
      file: new Blob([bytes], { type: 'application/pdf' }),
      fileName: 'sample.pdf',
    });
    expect(await client.media.get({ mediaId: id })).toMatchObject({
      id,
      mimeType: 'application/pdf',
      fileSize: String(bytes.length),
    });
    const downloaded = await client.media.download({ mediaId: id, auth: 'always' });
    expect(Buffer.from(downloaded as ArrayBuffer)).toEqual(bytes);
    const answer = await client.messages.sendDocument({
      phoneNumberId,
      to: CUSTOMER,
      document: { id, filename: 'sample.pdf', caption: 'Here' },
    });
    expect(await received(answer)).toMatchObject({
      type: 'document',
      text: 'Here',
      rendered: { media: { filename: 'sample.pdf' } },
    });
  });

  test('mark as read', async () => {
    const { id } = await sandbox.openWindow(CUSTOMER);
    expect(
      await client.messages.markRead({
        phoneNumberId,
        messageId: String(id),
        typingIndicator: { type: 'text' },
      }),
    ).toMatchObject({ success: true });
    expect(await sandbox.control('GET', `messages/${encodeURIComponent(String(id))}`)).toMatchObject({
      seen_by_business: true,
    });
  });

  const to = { phoneNumberId, to: CUSTOMER };

  test('reply buttons, a list, a URL button and a form', async () => {
    const buttons = [
      { id: 'mon', title: 'Monday' },
      { id: 'tue', title: 'Tuesday' },
    ];
    const header = { type: 'text' as const, text: 'Appointment' };
    const asked = await client.messages.sendInteractiveButtons({ ...to, bodyText: 'When?', header, buttons });
    expect(await received(asked)).toMatchObject({
      text: 'When?',
      rendered: { header: 'Appointment', buttons: [{ text: 'Monday' }, { text: 'Tuesday' }] },
    });
    const sections = [{ title: 'Sizes', rows: [{ id: 's', title: 'Small', description: 'Up to 10' }] }];
    const list = await client.messages.sendInteractiveList({
      ...to,
      bodyText: 'Which?',
      buttonText: 'Choose',
      sections,
    });
    expect(await received(list)).toMatchObject({ rendered: { list: { button: 'Choose', sections } } });
    const parameters = { displayText: 'Pay', url: 'https://example.com/pay' };
    const paid = await client.messages.sendInteractiveCtaUrl({ ...to, bodyText: 'Your invoice', parameters });
    expect(await received(paid)).toMatchObject({ rendered: { buttons: [{ target: parameters.url }] } });
    const form = await client.messages.sendInteractiveFlow({
      ...to,
      bodyText: 'Book a table',
      parameters: { flowId: '77', flowCta: 'Book', flowMessageVersion: '3', flowToken: 'token-1' },
    });
    expect(await received(form)).toMatchObject({ rendered: { buttons: [{ text: 'Book' }] } });
  });

  test('a location, contacts, a sticker, a reaction and a reply', async () => {
    const { id } = await sandbox.openWindow(CUSTOMER);
    const messageId = String(id);
    const location = { latitude: 52.5, longitude: 13.4, name: 'Our shop' };
    expect(await received(await client.messages.sendLocation({ ...to, location }))).toMatchObject({
      payload: { location },
    });
    const contacts = [
      {
        name: { formattedName: 'Kim Guest', firstName: 'Kim' },
        phones: [{ phone: '+4930123', type: 'WORK' }],
      },
    ];
    expect(await received(await client.messages.sendContacts({ ...to, contacts }))).toMatchObject({
      payload: { contacts: [{ name: { formatted_name: 'Kim Guest' }, phones: [{ phone: '+4930123' }] }] },
    });
    const sticker = { link: `${sandbox.url}/public/samples/sticker.webp` };
    expect(await received(await client.messages.sendSticker({ ...to, sticker }))).toMatchObject({
      type: 'sticker',
      rendered: { media: { kind: 'image' } },
    });
    const reaction = { messageId, emoji: '👍' };
    expect(await received(await client.messages.sendReaction({ ...to, reaction }))).toMatchObject({
      payload: { reaction: { message_id: messageId, emoji: '👍' } },
    });
    const reply = await client.messages.sendText({ ...to, body: 'We are open', contextMessageId: messageId });
    expect(await received(reply)).toMatchObject({ payload: { context: { message_id: messageId } } });
  });

  test('create a template, see it approved in the list, page on, delete it', async () => {
    const created = await client.templates.create({
      businessAccountId,
      name: 'made_by_kapso',
      language: 'en_US',
      category: 'MARKETING',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { headerText: ['Guest'] } },
        { type: 'BODY', text: 'You get {{1}} today.', example: { bodyText: [['ten']] } },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Thanks' }] },
      ],
    });
    expect(created).toMatchObject({ status: 'PENDING', category: 'MARKETING' });
    await vi.waitFor(async () => {
      const { data } = await client.templates.list({ businessAccountId, name: 'made_by_kapso' });
      expect(data).toMatchObject([{ id: created.id, status: 'APPROVED' }]);
    });
    const first = await client.templates.list({ businessAccountId, limit: 20 });
    const second = await client.templates.list({
      businessAccountId,
      limit: 20,
      after: first.paging.cursors?.after ?? '',
    });
    expect(second.data[0]?.id).not.toBe(first.data[0]?.id);
    await client.templates.delete({ businessAccountId, name: 'made_by_kapso' });
    expect((await client.templates.list({ businessAccountId, name: 'made_by_kapso' })).data).toEqual([]);
  });

  test('errors are understood: code, details, and what to do about them', async () => {
    await sandbox.control('POST', 'faults', { kind: 'error', code: 130429, retry_after: 7 });
    const failure = client.messages.sendText({ phoneNumberId, to: CUSTOMER, body: 'Hello' });
    const error = await failure.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GraphApiError);
    expect(error).toMatchObject({
      code: 130429,
      httpStatus: 429,
      category: 'throttling',
      retry: { retryAfterMs: 7000 },
    });
    const outside = await client.messages
      .sendText({ phoneNumberId, to: '15557010999', body: 'Hello' })
      .catch((reason: unknown) => reason);
    expect(outside).toMatchObject({ code: 131047, category: 'reengagementWindow' });
  });
});

// Conversations: interactive messages, everything a customer can send, and settings on the phone.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, templateMessage, type TestSandbox } from './testing/test-sandbox.ts';
import { userIdOf } from './user-ids.ts';

const CUSTOMER = '15557010123';
const PHONE = IDS.booksOrders;

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ settings: { sent_after_ms: 0, delivered_after_ms: 0 } });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
  await sandbox.openWindow(CUSTOMER);
});

const interactive = (content: object) =>
  sandbox.send(CUSTOMER, { type: 'interactive', interactive: content });
const idOf = (answer: { body: unknown }) =>
  (answer.body as { messages?: { id: string }[] }).messages?.[0]?.id ?? expect.unreachable();
const submit = (action: string, fields: Record<string, string>) =>
  fetch(`${sandbox.url}/phone/${CUSTOMER}/${action}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ with: PHONE, ...fields }),
  });
const page = async () => (await fetch(`${sandbox.url}/phone/${CUSTOMER}?with=${PHONE}`)).text();
const lastPayload = async () => {
  const { data } = await sandbox.control('GET', 'messages?direction=in');
  return data?.[(data?.length ?? 0) - 1]?.payload;
};

const button = (id: string, title: string) => ({ type: 'reply', reply: { id, title } });
const buttons = (...list: object[]) => ({
  type: 'button',
  header: { type: 'text', text: 'Appointment' },
  body: { text: 'When?' },
  footer: { text: 'Tap one' },
  action: { buttons: list },
});
const row = (id: string, description?: string) => ({
  id,
  title: `Row ${id}`,
  ...(description ? { description } : {}),
});
const list = (...sections: object[]) => ({
  type: 'list',
  body: { text: 'Which?' },
  action: { button: 'Choose', sections },
});

describe('interactive messages', () => {
  test('reply buttons are shown; a tap answers with the id and names the message', async () => {
    const id = idOf(await interactive(buttons(button('mon', 'Monday'), button('tue', 'Tuesday'))));
    const html = await page();
    for (const words of ['Appointment', 'When?', 'Tap one', 'Monday', 'Tuesday'])
      expect(html).toContain(words);
    await submit('tap', { message_id: id, from: 'button_reply', payload: 'tue', text: 'Tuesday' });
    expect(await lastPayload()).toMatchObject({
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'tue', title: 'Tuesday' } },
      context: { id },
    });
  });

  test('a list opens; a row answers with its description', async () => {
    const id = idOf(await interactive(list({ rows: [row('1', 'The first'), row('2')] })));
    const html = await page();
    for (const words of ['Choose', 'Row 1', 'The first', 'Row 2']) expect(html).toContain(words);
    await submit('tap', {
      message_id: id,
      from: 'list_reply',
      payload: '1',
      text: 'Row 1',
      description: 'The first',
    });
    expect(await lastPayload()).toMatchObject({
      interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Row 1', description: 'The first' } },
      context: { id },
    });
  });

  test('a URL, and requests for a location and a contact', async () => {
    const body = { text: 'Please' };
    const parameters = { display_text: 'Pay now', url: 'https://example.com/pay' };
    await interactive({ type: 'cta_url', body, action: { name: 'cta_url', parameters } });
    const asked = idOf(
      await interactive({ type: 'location_request_message', body, action: { name: 'send_location' } }),
    );
    await interactive({ type: 'request_contact_info', body, action: { name: 'request_contact_info' } });
    const html = await page();
    for (const words of ['Pay now', 'Send location', 'Share contact']) expect(html).toContain(words);
    await submit('share', {
      what: 'location',
      message_id: asked,
      latitude: '1.5',
      longitude: '2',
      name: 'Shop',
    });
    expect(await lastPayload()).toMatchObject({
      type: 'location',
      location: { latitude: 1.5, longitude: 2, name: 'Shop' },
      context: { id: asked },
    });
    await submit('share', { what: 'contacts', message_id: asked, phone: CUSTOMER });
    expect(await lastPayload()).toMatchObject({
      type: 'contacts',
      contacts: [{ phones: [{ wa_id: CUSTOMER }], origin: 'contact_request' }],
    });
  });

  test.each([
    ['no button', buttons()],
    ['four buttons', buttons(...['a', 'b', 'c', 'd'].map((id) => button(id, id)))],
    ['two buttons of one id', buttons(button('a', 'A'), button('a', 'B'))],
    ['two buttons of one title', buttons(button('a', 'A'), button('b', 'A'))],
    ['a button of 21 characters', buttons(button('a', 'x'.repeat(21)))],
    ['eleven rows', list({ rows: Array.from({ length: 11 }, (_, index) => row(String(index))) })],
    ['a row title of 25 characters', list({ rows: [{ id: '1', title: 'x'.repeat(25) }] })],
    ['two sections without titles', list({ rows: [row('1')] }, { rows: [row('2')] })],
    ['an unknown field', { ...buttons(button('a', 'A')), extra: 1 }],
  ])('%s is refused', async (_, content) => {
    expect((await interactive(content)).status).toBe(400);
  });
});

describe('what a customer sends', () => {
  const FILE = { base64: Buffer.from('x').toString('base64') };
  test.each([
    ['text', { text: 'Hi', reply_to: 'wamid.1' }, { type: 'text', context: { id: 'wamid.1' } }],
    ['quick reply', { button: { text: 'Yes' } }, { type: 'button', button: { text: 'Yes', payload: 'Yes' } }],
    ['button', { reply: { id: 'y', title: 'Yes' } }, { interactive: { button_reply: { id: 'y' } } }],
    ['row', { reply: { id: 'y', title: 'Yes', is_row: true } }, { interactive: { list_reply: { id: 'y' } } }],
    ['image', { image: { ...FILE, caption: 'Look' } }, { type: 'image', image: { caption: 'Look' } }],
    ['voice', { media: { ...FILE, kind: 'audio', mime_type: 'audio/ogg' } }, { audio: { voice: true } }],
    ['video', { media: { ...FILE, kind: 'video', mime_type: 'video/mp4' } }, { type: 'video' }],
    [
      'document',
      { media: { ...FILE, kind: 'document', mime_type: 'application/pdf', filename: 'a.pdf' } },
      { document: { filename: 'a.pdf' } },
    ],
    [
      'sticker',
      { media: { ...FILE, kind: 'sticker', mime_type: 'image/webp' } },
      { sticker: { animated: false } },
    ],
    ['location', { location: { latitude: 1, longitude: 2 } }, { location: { latitude: 1, longitude: 2 } }],
    [
      'contact',
      { contact: { name: 'Kim', phone: '15557010199' } },
      { contacts: [{ name: { formatted_name: 'Kim' } }] },
    ],
    ['reaction', { reaction: { message_id: 'wamid.1', emoji: '👍' } }, { reaction: { emoji: '👍' } }],
    ['order', { order: { catalog_id: '1', items: [] } }, { type: 'order', order: { catalog_id: '1' } }],
    ['form', { flow: { response: { day: 'Friday' } } }, { interactive: { type: 'nfm_reply' } }],
    [
      'edit',
      { edit: { message_id: 'wamid.1', text: 'Hello' } },
      { edit: { original_message_id: 'wamid.1' } },
    ],
    ['revoke', { revoke: { message_id: 'wamid.1' } }, { revoke: { original_message_id: 'wamid.1' } }],
    ['unsupported', { unsupported: {} }, { type: 'unsupported', errors: [{ code: 131051 }] }],
  ])('%s', async (_, content, payload) => {
    await sandbox.control('POST', 'customer-messages', {
      customer: CUSTOMER,
      phone_number_id: PHONE,
      ...content,
    });
    expect(await lastPayload()).toMatchObject({
      from: CUSTOMER,
      from_user_id: userIdOf(CUSTOMER),
      ...payload,
    });
  });

  test('on the phone: a file of any kind, a reaction, a contact', async () => {
    const form = new FormData();
    form.set('with', PHONE);
    form.set('file', new Blob(['x'], { type: 'audio/ogg' }), 'voice.ogg');
    await fetch(`${sandbox.url}/phone/${CUSTOMER}/send`, { method: 'POST', redirect: 'manual', body: form });
    expect(await lastPayload()).toMatchObject({ type: 'audio', audio: { voice: true } });
    await submit('react', { message_id: 'wamid.1', emoji: '❤️' });
    expect(await lastPayload()).toMatchObject({ reaction: { message_id: 'wamid.1', emoji: '❤️' } });
    await submit('share', { what: 'contacts', name: 'Kim', phone: '+1 555 701 0199' });
    expect(await lastPayload()).toMatchObject({ contacts: [{ phones: [{ wa_id: '15557010199' }] }] });
    expect((await submit('share', { what: 'contacts', name: 'Kim', phone: '1' })).status).toBe(400);
  });
});

describe('what a customer sets', () => {
  test('marketing messages are accepted and fail after they were stopped, until they are resumed', async () => {
    const statusOf = async () => {
      const id = idOf(await sandbox.send(CUSTOMER, templateMessage('cart_reminder', ['Guest', 'A book'])));
      return vi.waitFor(async () => {
        const { status, statuses } = await sandbox.control('GET', `messages/${encodeURIComponent(id)}`);
        expect(['delivered', 'failed']).toContain(status);
        return { status, code: statuses?.[0]?.errors?.[0]?.code };
      });
    };
    await submit('settings', { name: 'marketing', value: 'stop' });
    expect(await page()).toContain('Resume marketing messages');
    expect(await statusOf()).toEqual({ status: 'failed', code: 131050 });
    await submit('settings', { name: 'marketing', value: 'resume' });
    expect(await statusOf()).toEqual({ status: 'delivered', code: undefined });
  });

  test('the number is hidden and shown', async () => {
    await submit('settings', { name: 'number', value: 'hide' });
    expect(await page()).toContain(`Businesses see <b>${userIdOf(CUSTOMER)}</b>`);
    await submit('send', { text: 'Hi' });
    expect(await lastPayload()).not.toHaveProperty('from');
    await submit('settings', { name: 'number', value: 'show' });
    await submit('send', { text: 'Hi' });
    expect(await lastPayload()).toMatchObject({ from: CUSTOMER });
  });
});

test('the history of a message has its statuses in upper case', async () => {
  const id = idOf(await sandbox.send(CUSTOMER, { type: 'text', text: { body: 'Hi' } }));
  const history = () => sandbox.graph('GET', `${PHONE}/message_history?message_id=${encodeURIComponent(id)}`);
  await vi.waitFor(async () => {
    const events = (await history()).body.data?.[0]?.events?.data as unknown as { delivery_status: string }[];
    expect(events.map((event) => event.delivery_status)).toEqual(['ACCEPTED', 'SENT', 'DELIVERED']);
  });
  expect((await sandbox.graph('GET', `${PHONE}/message_history`)).status).toBe(400);
});

test('location, contacts and reactions can be sent', async () => {
  const { id } = (await sandbox.control('GET', 'messages')).data?.[0] as unknown as { id: string };
  const contacts = [{ name: { formatted_name: 'Kim', first_name: 'Kim' }, phones: [{ phone: '+1' }] }];
  const location = { latitude: 1, longitude: 2, name: 'Shop' };
  const reaction = { message_id: id, emoji: '👍' };
  for (const message of [{ contacts }, { location }, { reaction }])
    expect((await sandbox.send(CUSTOMER, { type: Object.keys(message)[0], ...message })).status).toBe(200);
  const wrong = { type: 'reaction', reaction: { ...reaction, message_id: 'wamid.none' } };
  expect((await sandbox.send(CUSTOMER, wrong)).status).toBe(400);
});

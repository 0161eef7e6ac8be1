import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { IDS } from './data/businesses.ts';
import { formatText } from './phone/chat-view.ts';
import { startTestSandbox, templateMessage, type TestSandbox } from './testing/test-sandbox.ts';

const CUSTOMER = '15557010123';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ settings: { sent_after_ms: 0, delivered_after_ms: 0 } });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
});

const page = async (path: string) => {
  const response = await fetch(`${sandbox.url}${path}`);
  return { status: response.status, html: await response.text() };
};
const submit = (path: string, fields: Record<string, string>) =>
  fetch(`${sandbox.url}${path}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
const incoming = async () => (await sandbox.control('GET', 'messages?direction=in')).data;

test('an empty sandbox says what to do; every chat is a row of the list', async () => {
  expect((await page('/')).html).toContain('Nothing was sent yet');
  await sandbox.send(CUSTOMER, templateMessage('hello_world'));
  const { html } = await page('/');
  expect(html).toContain(`href="/phone/${CUSTOMER}?with=${IDS.booksOrders}"`);
  expect(html).toContain('Welcome and congratulations!');
});

test('one writes as a customer to every number that is connected', async () => {
  const { html } = await page('/');
  expect(html).toContain(`<option value="${IDS.booksOrders}">`);
  expect(html).not.toContain(`<option value="${IDS.eventsOld}">`);
});

test('a template is shown with header, text, footer and buttons; a tap is an incoming message', async () => {
  const sent = await sandbox.send(
    CUSTOMER,
    templateMessage('appointment_reminder', ['Guest', '12 May', '10:30']),
  );
  const { html } = await page(`/phone/${CUSTOMER}`);
  for (const words of [
    'Your appointment',
    'Hello Guest, we look forward',
    'Reply to change it',
    'Confirm',
    'Reschedule',
  ]) {
    expect(html).toContain(words);
  }
  const id = String(sent.body.messages?.[0]?.id);
  await submit(`/phone/${CUSTOMER}/tap`, {
    with: IDS.booksOrders,
    message_id: id,
    text: 'Confirm',
    payload: 'Confirm',
  });
  expect((await incoming())?.[0]).toMatchObject({
    type: 'button',
    payload: { type: 'button', button: { text: 'Confirm', payload: 'Confirm' }, context: { id } },
  });
});

test('answers of the customer: text, and a picture with a caption', async () => {
  const answer = await submit(`/phone/${CUSTOMER}/send`, { with: IDS.booksOrders, text: 'Hello?' });
  expect(answer.status).toBe(303);
  const form = new FormData();
  form.set('with', IDS.booksOrders);
  form.set('text', 'Look');
  form.set('file', new Blob(['not really'], { type: 'image/png' }), 'x.png');
  await fetch(`${sandbox.url}/phone/${CUSTOMER}/send`, { method: 'POST', redirect: 'manual', body: form });
  expect(await incoming()).toMatchObject([
    { type: 'text', payload: { from: CUSTOMER, text: { body: 'Hello?' } } },
    { type: 'image', payload: { image: { mime_type: 'image/png', caption: 'Look' } } },
  ]);
  expect((await page(`/phone/${CUSTOMER}`)).html).toMatch(/24-hour window open/);
});

test('a new chat: the customer writes first', async () => {
  const answer = await submit('/chats', {
    customer: '+1 555 701 0199',
    with: IDS.bakeryCounter,
    text: 'Open today?',
  });
  expect(answer.headers.get('location')).toBe(`/phone/15557010199?with=${IDS.bakeryCounter}`);
  expect((await incoming())?.[0]).toMatchObject({
    customer: '15557010199',
    phone_number_id: IDS.bakeryCounter,
  });
});

test('reading makes the ticks blue; looking alone does not', async () => {
  await sandbox.send(CUSTOMER, templateMessage('hello_world'));
  await vi.waitFor(async () =>
    expect((await page(`/phone/${CUSTOMER}`)).html).toContain('bubble theirs delivered'),
  );
  await submit(`/phone/${CUSTOMER}/read`, { with: IDS.booksOrders });
  expect((await page(`/phone/${CUSTOMER}`)).html).toContain('bubble theirs read');
});

test('a customer without read receipts never makes them blue', async () => {
  const customer = '15557019905';
  await sandbox.send(customer, templateMessage('hello_world'));
  await vi.waitFor(async () =>
    expect((await page(`/phone/${customer}`)).html).toContain('bubble theirs delivered'),
  );
  await submit(`/phone/${customer}/read`, { with: IDS.booksOrders });
  expect((await page(`/phone/${customer}`)).html).toContain('bubble theirs delivered');
});

test('changes are told as server-sent events', async () => {
  const aborter = new AbortController();
  const response = await fetch(`${sandbox.url}/phone-events`, { signal: aborter.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await sandbox.openWindow(CUSTOMER);
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe(`data: ${CUSTOMER}\n\n`);
  aborter.abort();
});

test('nothing that is sent becomes markup', async () => {
  await sandbox.openWindow(CUSTOMER);
  await sandbox.send(CUSTOMER, { type: 'text', text: { body: '<script>alert(1)</script> "quoted"' } });
  const { html } = await page(`/phone/${CUSTOMER}`);
  expect(html).not.toContain('<script>alert');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(formatText('*bold* and _slanted_, ~gone~ https://example.com/?a=1&b="2"')).toBe(
    '<strong>bold</strong> and <em>slanted</em>, <s>gone</s> <a href="https://example.com/?a=1&amp;b=&quot;2&quot;" target="_blank" rel="noreferrer">https://example.com/?a=1&amp;b=&quot;2&quot;</a>',
  );
});

test('unknown pages and numbers are told, not broken', async () => {
  expect(await page('/nowhere')).toMatchObject({ status: 404 });
  expect(await page(`/phone/${CUSTOMER}?with=1`)).toMatchObject({ status: 404 });
  expect((await submit('/chats', { customer: '12', with: IDS.booksOrders, text: 'x' })).status).toBe(400);
});

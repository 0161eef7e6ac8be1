// Stickers, reactions, typing, quotes, forms: the platform's rules, and their display on a phone.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

const CUSTOMER = '15557010123';
const PHONE = IDS.booksOrders;

let sandbox: TestSandbox;
let heard: string;
beforeAll(async () => {
  sandbox = await startTestSandbox({ settings: { sent_after_ms: 0, delivered_after_ms: 0 } });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
  heard = String((await sandbox.openWindow(CUSTOMER)).id);
});

const send = (type: string, content: object, more: object = {}) =>
  sandbox.send(CUSTOMER, { type, [type]: content, ...more });
const idOf = (answer: { body: unknown }) =>
  (answer.body as { messages?: { id: string }[] }).messages?.[0]?.id ?? expect.unreachable();
const page = async () => (await fetch(`${sandbox.url}/phone/${CUSTOMER}?with=${PHONE}`)).text();
const share = (fields: Record<string, string>) =>
  fetch(`${sandbox.url}/phone/${CUSTOMER}/share`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ with: PHONE, ...fields }),
  });
const lastHeard = async () => {
  const { data } = await sandbox.control('GET', 'messages?direction=in');
  return data?.[(data?.length ?? 0) - 1]?.payload;
};
const react = (emoji: string, messageId = heard) => send('reaction', { message_id: messageId, emoji });

describe('stickers', () => {
  /** The header of a WebP file. */
  const webp = (bytes: number, isAnimated: boolean): Blob => {
    const file = Buffer.alloc(bytes);
    file.write('RIFF', 0, 'latin1');
    file.write('WEBPVP8X', 8, 'latin1');
    file[20] = isAnimated ? 2 : 0;
    return new Blob([file], { type: 'image/webp' });
  };
  const upload = async (file: Blob): Promise<string> => {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', file.type);
    form.set('file', file, 'a');
    const response = await fetch(`${sandbox.url}/v18.0/${PHONE}/media`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${sandbox.token()}` },
    });
    return ((await response.json()) as { id: string }).id;
  };

  test.each([
    ['a still one of 100 KB', 100 * 1024, false, 200],
    ['a still one of more', 100 * 1024 + 1, false, 400],
    ['an animated one of 500 KB', 500 * 1024, true, 200],
    ['an animated one of more', 500 * 1024 + 1, true, 400],
  ])('platform-conversation §6: %s', async (_, bytes, isAnimated, status) => {
    const answer = await send('sticker', { id: await upload(webp(bytes, isAnimated)) });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toMatchObject({ error: { code: 131053 } });
  });

  test('of another type is refused; one by link is a picture without a bubble', async () => {
    expect((await send('sticker', { link: `${sandbox.url}/public/samples/parcel.png` })).body).toMatchObject({
      error: { code: 131053 },
    });
    expect((await send('sticker', { link: 'https://example.com/smile.webp' })).status).toBe(200);
    expect(await page()).toMatch(/class="bubble theirs \w+ sticker"[\s\S]*alt="Sticker"/);
  });

  test('customers send them from the phone', async () => {
    await share({ what: 'sticker' });
    const { sticker } = (await lastHeard()) as unknown as { sticker: { id: string; mime_type: string } };
    expect(sticker).toMatchObject({ mime_type: 'image/webp', animated: false });
    const sample = await readFile(new URL('./public/samples/sticker.webp', import.meta.url));
    const { body } = await sandbox.graph('GET', sticker.id);
    expect(body).toMatchObject({ file_size: String(sample.length) });
  });
});

describe('reactions', () => {
  test('stand at their message, one of each side; an empty one removes it; only sent is told', async () => {
    const answer = await react('👍');
    expect(await page()).toContain('aria-label="Reactions: 👍"');
    await sandbox.control('POST', 'customer-messages', {
      customer: CUSTOMER,
      phone_number_id: PHONE,
      reaction: { message_id: heard, emoji: '❤️' },
    });
    expect(await page()).toContain('aria-label="Reactions: 👍 ❤️"');
    await react('');
    expect(await page()).toContain('aria-label="Reactions: ❤️"');
    await vi.waitFor(async () => {
      const { status } = await sandbox.control('GET', `messages/${encodeURIComponent(idOf(answer))}`);
      expect(status).toBe('sent');
    });
  });

  test('to a message of more than 30 days are accepted and fail with 131009', async () => {
    await sandbox.control('POST', 'clock', { move_seconds: 31 * 86_400 });
    await sandbox.renewToken();
    await sandbox.openWindow(CUSTOMER);
    const answer = await react('👍');
    expect(answer.status).toBe(200);
    await vi.waitFor(async () => {
      const message = await sandbox.control('GET', `messages/${encodeURIComponent(idOf(answer))}`);
      expect(message).toMatchObject({ status: 'failed', statuses: [{ errors: [{ code: 131009 }] }] });
    });
    expect(await page()).not.toContain('Reactions:');
  });

  test('quote nothing', async () => {
    const reaction = { message_id: heard, emoji: '👍' };
    expect((await send('reaction', reaction, { context: { message_id: heard } })).status).toBe(400);
  });
});

test('typing is shown until the next message, 25 seconds at most', async () => {
  const type = () =>
    sandbox.graph('POST', `${PHONE}/messages`, {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: heard,
      typing_indicator: { type: 'text' },
    });
  expect((await type()).body).toEqual({ success: true });
  expect(await page()).toContain('The business is typing');
  await send('text', { body: 'Here' });
  expect(await page()).not.toContain('The business is typing');
  await type();
  await sandbox.control('POST', 'clock', { move_seconds: 26 });
  expect(await page()).not.toContain('The business is typing');
});

test('what a message answers is quoted above it, on both sides', async () => {
  const answer = await send('text', { body: 'We are open' }, { context: { message_id: heard } });
  expect(await page()).toMatch(/<blockquote class="quote"><b>You<\/b>Hello!<\/blockquote>/);
  await sandbox.control('POST', 'customer-messages', {
    customer: CUSTOMER,
    phone_number_id: PHONE,
    text: 'Thanks',
    reply_to: idOf(answer),
  });
  expect(await page()).toMatch(/<b>Business<\/b>We are open<\/blockquote>/);
});

test('a place leads to a map, a contact is a card', async () => {
  await send('location', { latitude: 52.5163, longitude: 13.3777, name: 'Our <shop>', address: 'Main St 1' });
  const name = { formatted_name: 'Kim Guest', first_name: 'Kim' };
  const org = { company: 'Example' };
  await send('contacts', [
    { name, phones: [{ phone: '+49 30 123' }], emails: [{ email: 'kim@x.example' }], org },
  ]);
  const html = await page();
  expect(html).toContain(
    'href="https://www.openstreetmap.org/?mlat=52.5163&amp;mlon=13.3777#map=16/52.5163/13.3777"',
  );
  for (const words of [
    'Our &lt;shop&gt;',
    'Main St 1',
    'Kim Guest',
    '+49 30 123',
    'kim@x.example',
    'Example',
  ])
    expect(html).toContain(words);
});

test.each([
  ['no contact', []],
  ['a name without a part', [{ name: { formatted_name: 'Kim' } }]],
  ['phones that are no list', [{ name: { formatted_name: 'Kim', first_name: 'Kim' }, phones: '+1' }]],
])('contacts: %s is refused', async (_, contacts) => {
  expect((await send('contacts', contacts)).body).toMatchObject({ error: { code: 100 } });
});

test('a form is answered by nfm_reply with its token', async () => {
  const parameters = { flow_message_version: '3', flow_id: '77', flow_cta: 'Book', flow_token: 'token-1' };
  const flow = { type: 'flow', body: { text: 'Book a table' }, action: { name: 'flow', parameters } };
  const id = idOf(await send('interactive', flow));
  expect(await page()).toContain('Book a table');
  await share({ what: 'flow', message_id: id, flow_token: 'token-1' });
  expect(await lastHeard()).toMatchObject({
    context: { id },
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"token-1","answer":"Yes"}' },
    },
  });
  const both = { ...parameters, flow_name: 'booking' };
  expect((await send('interactive', { ...flow, action: { name: 'flow', parameters: both } })).status).toBe(
    400,
  );
});

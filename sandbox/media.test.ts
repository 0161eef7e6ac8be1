import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startReceiver, type TestReceiver } from './testing/test-receiver.ts';
import { startTestSandbox, templateMessage, type TestSandbox } from './testing/test-sandbox.ts';

const CUSTOMER = '15557010123';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let sandbox: TestSandbox;
let files: TestReceiver;

beforeAll(async () => {
  files = await startReceiver(({ url }, response) => {
    const [, type = '', size = '10'] = /^\/([a-z0-9+.-]+\/[a-z0-9+.-]+)\/(\d+)/.exec(url) ?? [];
    if (type === '') return void response.writeHead(404).end();
    // Chunked, so that the size is only known by reading.
    response.writeHead(200, { 'content-type': `${type}; charset=binary` }).write('x');
    response.end(Buffer.alloc(Number(size) - 1));
  });
  sandbox = await startTestSandbox({ settings: { sent_after_ms: 0, delivered_after_ms: 0 } });
});
afterAll(async () => {
  await sandbox.close();
  await files.close();
});
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
  await sandbox.openWindow(CUSTOMER);
});

const file = (type: string, size = 10) => `${files.url}/${type}/${size}`;
const sendLink = (kind: string, link: string, more: object = {}) =>
  sandbox.send(CUSTOMER, { type: kind, [kind]: { link, ...more } });

async function upload(bytes: Buffer, type: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('type', type);
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'a-file');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const response = await fetch(`${sandbox.url}/v18.0/${IDS.booksOrders}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.token()}` },
    body: form,
  });
  return {
    status: response.status,
    body: (await response.json()) as { id: string; error?: { code: number } },
  };
}

describe('links are really fetched', () => {
  test.each([
    ['image', 'image/png', 10],
    ['video', 'video/mp4', 10],
    ['audio', 'audio/ogg', 10],
    ['document', 'application/pdf', 10],
    ['image', 'image/jpeg', 5 * 1024 * 1024],
  ])('%s from %s, %i bytes', async (kind, type, size) => {
    expect((await sendLink(kind, file(type, size))).status).toBe(200);
  });

  test.each([
    ['the wrong type', 'image', 'application/pdf', 10, 131053],
    ['an unknown type', 'document', 'application/x-thing', 10, 131053],
    ['more than 5 MB', 'image', 'image/png', 5 * 1024 * 1024 + 1, 131053],
  ])('%s is refused', async (_name, kind, type, size, code) => {
    expect(await sendLink(kind, file(type, size))).toMatchObject({ status: 400, body: { error: { code } } });
  });

  test('a link that answers 404, or nobody answers, is 131052; one that is none, 131009', async () => {
    expect((await sendLink('image', `${files.url}/gone`)).body.error).toMatchObject({ code: 131052 });
    expect((await sendLink('image', 'http://127.0.0.1:9/x.png')).body.error).toMatchObject({ code: 131052 });
    expect((await sendLink('image', 'ftp://example.com/x.png')).body.error).toMatchObject({ code: 131009 });
  });

  test('pictures and documents at example.com are the samples; other kinds are not there', async () => {
    expect((await sendLink('image', 'https://example.com/files/showroom.jpg')).status).toBe(200);
    expect((await sendLink('document', 'https://files.example.com/catalogue.pdf')).status).toBe(200);
    expect((await sendLink('image', 'http://notexample.com.invalid/x.png')).body.error).toMatchObject({
      code: 131052,
    });
  });

  test('by the settings a bad link is accepted and fails later', async () => {
    await sandbox.control('POST', 'settings', { media_check: 'fail_later' });
    const answer = await sendLink('image', `${files.url}/gone`);
    expect(answer.status).toBe(200);
    const id = encodeURIComponent(String(answer.body.messages?.[0]?.id));
    await vi.waitFor(async () =>
      expect((await sandbox.graph('GET', id)).body).toMatchObject({
        status: 'failed',
        errors: [{ code: 131052 }],
      }),
    );
  });

  test('a template with an image header shows the fetched picture on the phone', async () => {
    const header = { type: 'header', parameters: [{ type: 'image', image: { link: file('image/png') } }] };
    const button = {
      type: 'button',
      sub_type: 'url',
      index: '0',
      parameters: [{ type: 'text', text: 'A-1' }],
    };
    expect(
      (await sandbox.send(CUSTOMER, templateMessage('shipping_update', ['Guest', 'A-1'], header, button)))
        .status,
    ).toBe(200);
    const page = await (await fetch(`${sandbox.url}/phone/${CUSTOMER}`)).text();
    const [, source = ''] = /<img src="([^"]+)"/.exec(page) ?? [];
    const picture = await fetch(`${sandbox.url}${source}`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(page).toContain('href="https://example.com/track/A-1"');
  });
});

describe('uploads', () => {
  test('upload, look up, download with the token, send by id, delete', async () => {
    const { body } = await upload(PNG, 'image/png');
    const shown = (await sandbox.graph('GET', body.id)).body;
    expect(shown).toMatchObject({
      id: body.id,
      mime_type: 'image/png',
      file_size: String(PNG.length),
      messaging_product: 'whatsapp',
    });
    const headers = { authorization: `Bearer ${sandbox.token()}` };
    const download = await fetch(String(shown.url), { headers });
    expect(Buffer.from(await download.arrayBuffer())).toEqual(PNG);
    expect((await fetch(String(shown.url))).status).toBe(401);
    expect(
      (await sandbox.send(CUSTOMER, { type: 'image', image: { id: body.id, caption: 'Look' } })).status,
    ).toBe(200);
    await sandbox.control('POST', 'clock', { move_seconds: 301 });
    expect((await fetch(String(shown.url), { headers })).status).toBe(404);
    expect((await sandbox.graph('DELETE', body.id)).body).toEqual({ success: true });
    expect(
      (await sandbox.send(CUSTOMER, { type: 'image', image: { id: body.id } })).body.error,
    ).toMatchObject({ code: 131009 });
  });

  test('wrong type, too large, sent as another kind, another product', async () => {
    expect(await upload(PNG, 'image/gif')).toMatchObject({ status: 400, body: { error: { code: 131053 } } });
    expect(await upload(Buffer.alloc(5 * 1024 * 1024 + 1), 'image/png')).toMatchObject({
      body: { error: { code: 131053 } },
    });
    const { body } = await upload(PNG, 'image/png');
    expect(
      (await sandbox.send(CUSTOMER, { type: 'video', video: { id: body.id } })).body.error,
    ).toMatchObject({ code: 131053 });
    expect(await upload(PNG, 'image/png', { messaging_product: 'pigeon' })).toMatchObject({
      body: { error: { code: 100 } },
    });
  });
});

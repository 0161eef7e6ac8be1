// The sandbox after a restart, killed or stopped, and after a reset.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PRODUCT } from './product.ts';
import { IDS } from './data/businesses.ts';
import { type RunningSandbox, startSandbox } from './server.ts';

let folder: string;
let sandbox: RunningSandbox;
let port: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  sandbox = await startSandbox({ port: 0, stateFolder: folder, settings: { template_review_ms: 3_600_000 } });
  port = Number(new URL(sandbox.url).port);
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const restart = async (): Promise<void> => {
  await sandbox.close();
  sandbox = await startSandbox({ port, stateFolder: folder, settings: { template_review_ms: 5 } });
};

type Json = Record<string, unknown>;

async function call(
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

const mint = async (): Promise<{ access_token: string; refresh_token: string }> =>
  (await call('POST', '/__sandbox/tokens', {})).body as never;

const refresh = (refreshToken: string): Promise<Response> =>
  fetch(`${sandbox.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: 'patchbay-sandbox',
      client_secret: 'sandbox-secret-for-development-only',
    }),
  });

const send = (token: string): ReturnType<typeof call> =>
  call(
    'POST',
    `/v18.0/${IDS.booksOrders}/messages`,
    { messaging_product: PRODUCT, to: '15550101001', type: 'text', text: { body: 'Hello' } },
    token,
  );

test('tokens, windows, messages, files and settings are there after a restart', async () => {
  const { access_token: token, refresh_token } = await mint();
  const image = { base64: Buffer.from('not really a picture').toString('base64'), mime_type: 'image/png' };
  await call('POST', '/__sandbox/customer-messages', {
    customer: '15550101001',
    phone_number_id: IDS.booksOrders,
    image,
  });
  await call('POST', `/__sandbox/phone-numbers/${IDS.booksSupport}`, { connected: false });
  await call('POST', '/__sandbox/clock', { move_seconds: 60 });
  const before = (await call('GET', '/__sandbox/messages')).body;
  await restart();
  expect((await call('GET', '/__sandbox/messages')).body).toEqual(before);
  expect((await call('GET', '/__sandbox/clock')).body).toMatchObject({ offset_seconds: 60 });
  const phones = await call('GET', `/v18.0/${IDS.books}/phone_numbers?fields=id,status`, undefined, token);
  expect(phones.body['data']).toContainEqual({ id: IDS.booksSupport, status: 'DISCONNECTED' });
  expect((await send(token)).status).toBe(200);
  expect((await refresh(refresh_token)).status).toBe(200);
});

test('a refresh token that was rotated before a restart stays rotated', async () => {
  const { refresh_token: first } = await mint();
  const { refresh_token: second } = (await (await refresh(first)).json()) as { refresh_token: string };
  await restart();
  expect((await refresh(second)).status).toBe(200);
  expect((await refresh(first)).status).toBe(400);
});

test('a message template that waits for its review gets it after a restart', async () => {
  const { access_token: token } = await mint();
  const template = {
    name: 'waiting',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hello there' }],
  };
  const { body } = await call('POST', `/v18.0/${IDS.books}/message_templates`, template, token);
  await restart();
  await expect
    .poll(
      async () => (await call('GET', `/v18.0/${body['id'] as string}?fields=status`, undefined, token)).body,
    )
    .toMatchObject({ status: 'APPROVED' });
});

test('the page has a button that resets it, and a restart does not bring anything back', async () => {
  const { access_token: token } = await mint();
  await call('POST', '/__sandbox/customer-messages', {
    customer: '15550101001',
    phone_number_id: IDS.booksOrders,
    text: 'Hi',
  });
  expect(await (await fetch(`${sandbox.url}/`)).text()).toContain('<form method="post" action="/reset">');
  const page = await fetch(`${sandbox.url}/reset`, { method: 'POST' });
  expect(await page.text()).toContain('back to its demo data');
  await restart();
  expect((await call('GET', '/__sandbox/messages')).body['data']).toEqual([]);
  expect((await send(token)).status).toBe(401);
});

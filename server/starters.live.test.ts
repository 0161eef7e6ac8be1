// Every workflow of the gallery through the running product: made, given an account and a number, published, sent its
// sample; then its message is on the customer's phone or its answer with the caller.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Starter } from '#lib/starters/starter-types.ts';
import { STARTERS } from '#lib/starters/starters.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { type ConversationServer, startConversationServer } from './fixtures/start-conversation-server.ts';

const CUSTOMER = '15550101001';
const PHONE = IDS.booksOrders;

let server: ConversationServer;
let connectionId: string;
let shop: Server;
let shopUrl: string;
/** What the user's own systems were sent. */
const calls: { path: string; body: string }[] = [];

beforeAll(async () => {
  server = await startConversationServer({ ALLOWED_PRIVATE_HOSTS: '127.0.0.1' });
  connectionId = await server.connectBooks();
  shop = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      calls.push({ path: request.url ?? '', body });
      response.setHeader('content-type', 'application/json').end('{"status":"open"}');
    });
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});

afterAll(async () => {
  shop.close();
  await server.stop();
});

/** What its user does: chooses account and number, names the own system; and what keeps the test short. */
function prepare(task: WorkflowTask): WorkflowTask {
  const { type, settings } = task;
  if (type === 'messaging_business') {
    const account = {
      app_connection_id: connectionId,
      business_account_id: IDS.books,
      phone_number_id: PHONE,
    };
    return { ...task, settings: { ...settings, ...account } };
  }
  if (type === 'http_request') {
    const url = String(settings['url']).replace(/^https:\/\/[^/]+/, shopUrl);
    return { ...task, settings: { ...settings, url } };
  }
  if (type === 'delay' && settings['mode'] === 'for')
    return { ...task, settings: { ...settings, amount: 1, unit: 'seconds' } };
  if (type === 'loop') return { ...task, settings: { ...settings, pause_seconds: 0 } };
  return task;
}

interface Message {
  id: string;
  customer: string;
  text: string;
  type: string;
  direction: string;
}

interface Run {
  status: string;
  error: { message: string } | null;
}

async function customerWrites(text: string): Promise<string> {
  const { id } = await server.control<{ id: string }>('POST', 'customer-messages', {
    customer: CUSTOMER,
    phone_number_id: PHONE,
    text,
  });
  return id;
}

async function outgoing(): Promise<Message[]> {
  return (await server.control<{ data: Message[] }>('GET', 'messages?direction=out')).data;
}

/** Publishes a starter, posts its sample (changed by `change`) and waits for its run's end. */
async function use(id: string, change: Record<string, unknown> = {}): Promise<Response> {
  const { name, graph, sample } = STARTERS.find((starter) => starter.id === id) as Starter;
  const workflow = await server.api<{ id: string; webhook: { production_url: string } }>(
    'POST',
    '/workflows',
    {
      name,
      tasks: graph.tasks.map(prepare),
      edges: graph.edges,
      publish: true,
    },
  );
  const answer = await fetch(workflow.webhook.production_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...sample, ...change }),
    redirect: 'manual',
  });
  await vi.waitFor(
    async () => {
      const { data } = await server.api<{ data: Run[] }>('GET', `/runs?workflow_id=${workflow.id}`);
      expect(data[0]).toMatchObject({ status: 'succeeded', error: null });
    },
    { timeout: 20_000, interval: 50 },
  );
  return answer;
}

/** The texts that went out meanwhile, by receiver. */
async function sentDuring(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Set((await outgoing()).map(({ id }) => id));
  await work();
  return (await outgoing())
    .filter(({ id }) => !before.has(id))
    .map(({ customer, text }) => `${customer}: ${text}`)
    .sort();
}

test('order-confirmation', async () => {
  let answer: Response | undefined;
  const sent = await sentDuring(async () => (answer = await use('order-confirmation')));
  expect(sent).toEqual([
    `${CUSTOMER}: ${'Hi Sample Customer, thank you for your order A-1001.'} We will tell you when it is on its way.`,
  ]);
  expect(await answer?.json()).toEqual({ status: 'received', order: 'A-1001' });
});

test('auto-reply', async () => {
  const id = await customerWrites('How much is it?');
  const sample = STARTERS.find((starter) => starter.id === 'auto-reply')?.sample ?? {};
  const asSent = JSON.parse(JSON.stringify(sample).replace('wamid.sample', id)) as Record<string, unknown>;
  const sent = await sentDuring(() => use('auto-reply', asSent));
  expect(sent).toEqual([`${CUSTOMER}: Our price list is at https://example.com/prices. Anything else?`]);
  expect(await server.control('GET', `messages/${encodeURIComponent(id)}`)).toMatchObject({
    seen_by_business: true,
  });
});

test('lead-welcome', async () => {
  const sent = await sentDuring(() => use('lead-welcome'));
  expect(sent).toEqual([
    expect.stringContaining('Welcome, Sample Customer! Thanks for your interest in our club.'),
  ]);
});

test('lead-welcome asks for a call when the message cannot be sent', async () => {
  await server.control('POST', 'faults', { kind: 'error', code: 131026, http_status: 400 });
  const sent = await sentDuring(() => use('lead-welcome'));
  expect(sent).toEqual([]);
  expect(calls.find(({ path }) => path === '/api/tasks')?.body).toContain('Call Sample Customer');
});

test('abandoned-cart', async () => {
  const sent = await sentDuring(() => use('abandoned-cart'));
  expect(sent).toEqual([
    `${CUSTOMER}: Hi Sample Customer, Mechanical keyboard is still in your cart. Shall we keep it for you?`,
  ]);
  expect(calls.map(({ path }) => path)).toContain('/api/carts/77');
});

test('bulk-announcement', async () => {
  const sent = await sentDuring(() => use('bulk-announcement'));
  const text = 'On Friday we host a reading of Sea Stories. Seats are free.';
  expect(sent).toEqual([`15550101001: ${text}`, `15550101002: ${text}`]);
  const report = calls.find(({ path }) => path === '/api/campaign-reports');
  expect(JSON.parse(report?.body ?? '')).toMatchObject({ receivers: 2, failed: 0 });
});

test('appointment-reminder', async () => {
  const remind_at = new Date(Date.now() + 1_000).toISOString();
  const sent = await sentDuring(() => use('appointment-reminder', { remind_at }));
  expect(sent).toEqual([
    expect.stringContaining('Hello Sample Customer, we look forward to seeing you on 12 May at 10:30.'),
  ]);
});

test('status-report', async () => {
  const message = (await outgoing())[0];
  const answer = await use('status-report', { message_id: message?.id });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toMatchObject({
    message_id: message?.id,
    status: expect.stringMatching(/^(sent|delivered|read)$/) as string,
    since: expect.any(Number) as number,
  });
});

test('redirect-after-form', async () => {
  let answer: Response | undefined;
  const sent = await sentDuring(async () => (answer = await use('redirect-after-form')));
  expect(answer?.status).toBe(302);
  expect(answer?.headers.get('location')).toBe('https://example.com/thanks?name=Sample%20Customer');
  expect(sent).toEqual([expect.stringContaining('Hi Sample Customer, thank you for your order A-1001.')]);
});

test('media-on-request', async () => {
  await customerWrites('Please send it.');
  const before = new Set((await outgoing()).map(({ id }) => id));
  await use('media-on-request');
  await use('media-on-request', { wants: 'a picture' });
  const sent = (await outgoing()).filter(({ id }) => !before.has(id));
  expect(sent.map(({ type }) => type).sort()).toEqual(['document', 'image']);
});

test('none is left out', ({ task }) => {
  const names = task.suite?.tasks ?? task.file.tasks;
  const tested = new Set(names.map(({ name }) => name.split(' ')[0]));
  expect(STARTERS.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
});

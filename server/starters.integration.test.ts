// Every workflow of the gallery through the running product: created, given an account and a number, published, and
// started by what really starts it: its webhook gets the sample, or a customer writes and the connection forwards the
// message. What counts is what arrived: on the customer's phone, with the caller, at the user's own systems.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { Starter } from '#lib/editor/starters/starter-types.ts';
import { STARTERS } from '#lib/editor/starters/starters.ts';
import { toText } from '#lib/variables/to-text.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { type ConversationServer, startConversationServer } from './testing/start-conversation-server.ts';

const CUSTOMER = '15550101001';
const PHONE = IDS.booksOrders;

let server: ConversationServer;
let connectionId: string;
let shop: Server;
let shopUrl: string;
/** What the user's own systems were sent. */
let calls: { path: string; body: string }[] = [];

beforeAll(async () => {
  server = await startConversationServer({ ALLOWED_PRIVATE_HOSTS: '127.0.0.1' });
  connectionId = await server.connectBooks();
  await server.api('POST', `/connections/${connectionId}/notifications`);
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
  seen_by_business: boolean;
}

interface Run {
  id: string;
  status: string;
  event_id: string;
  error: { message: string } | null;
}

const findStarter = (id: string): Starter => {
  const starter = STARTERS.find((each) => each.id === id);
  if (!starter) throw new Error(`There is no starter "${id}".`);
  return starter;
};

async function customerWrites(text: string, hidesNumber = false): Promise<string> {
  const message = { customer: CUSTOMER, phone_number_id: PHONE, text, hides_number: hidesNumber };
  return (await server.control<{ id: string }>('POST', 'customer-messages', message)).id;
}

const outgoing = async (): Promise<Message[]> =>
  (await server.control<{ data: Message[] }>('GET', 'messages?direction=out')).data;

/** The outcome of one use of a starter. */
interface Outcome {
  run: Run;
  /** Messages that went out, as `<receiver>: <text>`, sorted. */
  sent: string[];
  /** Their types, sorted. */
  types: string[];
  /** What the user's own systems were sent. */
  calls: { path: string; body: string }[];
  /** Of the webhook; undefined where a customer's message started the workflow. */
  answer: Response | undefined;
  /** The body of the event as the workflow's tasks read it. */
  body: JsonObject;
  /** Of the customer's message; empty where a webhook started the workflow. */
  messageId: string;
}

/** Publishes a starter, starts it by its real trigger with its sample (changed by `change`) and waits for its run's end. */
async function use(id: string, change: JsonObject = {}, hidesNumber = false): Promise<Outcome> {
  const starter = findStarter(id);
  const workflow = await server.api<{ id: string; webhook: { production_url: string } }>(
    'POST',
    '/workflows',
    {
      name: starter.name,
      tasks: starter.graph.tasks.map(prepare),
      edges: starter.graph.edges,
      publish: true,
    },
  );
  const before = new Set((await outgoing()).map((message) => message.id));
  calls = [];
  const sample = { ...starter.sample, ...change };
  let answer: Response | undefined;
  let messageId = '';
  if (starter.startedBy === 'messages') {
    const subscription = `/connections/${connectionId}/subscriptions/${workflow.id}`;
    await server.api('PUT', subscription, { kinds: ['messages'] });
    messageId = await customerWrites(toText(sample['text']), hidesNumber);
    onTestFinished(() => server.api('DELETE', subscription));
  } else {
    answer = await fetch(workflow.webhook.production_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sample),
      redirect: 'manual',
    });
  }
  const run = await waitForRun(workflow.id);
  const sent = (await outgoing()).filter((message) => !before.has(message.id));
  const event = await server.api<{ body: JsonObject }>('GET', `/events/${run.event_id}`);
  return {
    run,
    sent: sent.map(({ customer, text }) => `${customer}: ${text}`).sort(),
    types: sent.map(({ type }) => type).sort(),
    calls,
    answer,
    body: event.body,
    messageId,
  };
}

async function waitForRun(workflowId: string): Promise<Run> {
  const newest = async (): Promise<Run | undefined> =>
    (await server.api<{ data: Run[] }>('GET', `/runs?workflow_id=${workflowId}`)).data[0];
  return vi.waitFor(
    async () => {
      const run = await newest();
      expect(run).toMatchObject({ status: 'succeeded', error: null });
      return run as Run;
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** What must have arrived after a use of a starter; one of the first four at least, none of them empty. */
interface Expectation {
  title: string;
  change?: JsonObject | (() => JsonObject | Promise<JsonObject>);
  before?: () => Promise<unknown>;
  /** The customer chose a username: businesses are not told the number. */
  hidesNumber?: true;
  /** Texts on the customers' phones, with their receivers. */
  sent?: string[];
  /** Types of the messages on the customers' phones. */
  types?: string[];
  /** What the user's own systems were sent: a path, and what its body holds. */
  called?: [path: string, body: unknown];
  /** What the caller of the webhook was answered. */
  answered?: (answer: Response, posted: JsonObject) => Promise<void>;
  also?: (outcome: Outcome) => Promise<void>;
}

const to = (text: string): string => `${CUSTOMER}: ${text}`;
const containing = (text: string): string => expect.stringContaining(text) as string;
const READING = 'On Friday we host a reading of Sea Stories. Seats are free.';

const seenByBusiness = async ({ messageId }: Outcome): Promise<void> =>
  expect(await server.control('GET', `messages/${encodeURIComponent(messageId)}`)).toMatchObject({
    seen_by_business: true,
  });

const EXPECTATIONS: Record<string, Expectation[]> = {
  'order-confirmation': [
    {
      title: 'confirms the order',
      sent: [
        to('Hi Sample Customer, thank you for your order A-1001. We will tell you when it is on its way.'),
      ],
      answered: async (answer) =>
        expect(await answer.json()).toEqual({ status: 'received', order: 'A-1001' }),
    },
  ],
  'auto-reply': [
    {
      title: 'sends the prices to a customer who asks for them',
      sent: [to('Our price list is at https://example.com/prices. Anything else?')],
      also: seenByBusiness,
    },
    {
      title: 'answers a customer whose number the platform does not tell',
      hidesNumber: true,
      sent: [to('Our price list is at https://example.com/prices. Anything else?')],
      also: async ({ body }) => expect(body['from']).toBe(body['from_user_id']),
    },
    {
      title: 'thanks everybody else',
      change: { text: 'Are you open today?' },
      sent: [containing('Thank you for your message!')],
      also: seenByBusiness,
    },
  ],
  'lead-welcome': [
    {
      title: 'welcomes the lead',
      sent: [containing('Welcome, Sample Customer! Thanks for your interest in our club.')],
    },
    {
      title: 'asks for a call when the message cannot be sent',
      before: () =>
        server.control('POST', 'faults', {
          kind: 'error',
          path: '/messages',
          method: 'POST',
          code: 131026,
          http_status: 400,
        }),
      called: ['/api/tasks', containing('Call Sample Customer')],
      also: async ({ sent }) => expect(sent).toEqual([]),
    },
  ],
  'abandoned-cart': [
    {
      title: 'reminds of a cart that is not paid',
      sent: [to('Hi Sample Customer, Mechanical keyboard is still in your cart. Shall we keep it for you?')],
      called: ['/api/carts/77', ''],
    },
  ],
  'bulk-announcement': [
    {
      title: 'reaches every receiver and reports',
      sent: [`15550101001: ${READING}`, `15550101002: ${READING}`],
      called: ['/api/campaign-reports', containing('{"receivers":2,"failed":0,')],
    },
  ],
  'appointment-reminder': [
    {
      title: 'reminds at the time',
      change: () => ({ remind_at: new Date(Date.now() + 1_000).toISOString() }),
      sent: [containing('Hello Sample Customer, we look forward to seeing you on 12 May at 10:30.')],
    },
  ],
  'status-report': [
    {
      title: 'answers with the status of a message',
      before: () => use('lead-welcome'),
      change: async () => ({ message_id: (await outgoing())[0]?.id ?? '' }),
      answered: async (answer, { message_id }) => {
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(await answer.json()).toMatchObject({
          message_id,
          status: expect.stringMatching(/^(sent|delivered|read)$/) as string,
          since: expect.any(Number) as number,
        });
      },
    },
  ],
  'redirect-after-form': [
    {
      title: 'redirects the visitor and confirms the order',
      sent: [containing('Hi Sample Customer, thank you for your order A-1001.')],
      answered: async (answer) => {
        expect(answer.status).toBe(302);
        expect(answer.headers.get('location')).toBe('https://example.com/thanks?name=Sample%20Customer');
      },
    },
  ],
  'media-on-request': [
    {
      title: 'sends the catalogue',
      before: () => customerWrites('Please send it.'),
      types: ['document'],
    },
    {
      title: 'sends a picture to everybody else',
      before: () => customerWrites('Please send it.'),
      change: { wants: 'a picture' },
      types: ['image'],
    },
  ],
};

describe.each(STARTERS.map(({ id }) => id))('%s', (id) => {
  const expectations = EXPECTATIONS[id] ?? [];

  test('is expected to make something arrive', () => {
    expect(expectations).not.toEqual([]);
    for (const { sent, types, called, answered } of expectations)
      expect(sent?.length || types?.length || called || answered).toBeTruthy();
  });

  test.each(expectations.map((each) => [each.title, each] as const))('%s', async (_, expected) => {
    await expected.before?.();
    const change = typeof expected.change === 'function' ? await expected.change() : expected.change;
    const outcome = await use(id, change, expected.hidesNumber);
    if (expected.sent) expect(outcome.sent).toEqual(expected.sent);
    if (expected.types) expect(outcome.types).toEqual(expected.types);
    if (expected.called) {
      const [path, body] = expected.called;
      expect(outcome.calls).toContainEqual({ path, body });
    }
    if (expected.answered) await expected.answered(outcome.answer as Response, outcome.body);
    await expected.also?.(outcome);
    expect(Object.keys(outcome.body)).toEqual(expect.arrayContaining(Object.keys(findStarter(id).sample)));
  });
});

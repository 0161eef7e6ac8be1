// Every workflow of the gallery through the running product: created, with an account and a number, published, and started by
// its real trigger: its webhook gets the sample, or a customer writes and the connection forwards the message. Checks what
// arrived: on the customer's phone, at the caller, at the user's own systems.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { WEEKDAYS } from '#lib/core/time/hours.ts';
import type { Starter } from '#lib/editor/starters/build.ts';
import { STARTERS } from '#lib/editor/starters/starters.ts';
import { fillSender, lacksSender } from '#lib/tasks/fill-sender.ts';
import { toText } from '#lib/variables/to-text.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { type CustomerTalk, talkToCustomer } from './testing/talk-to-customer.ts';
import { connectBooks } from './testing/beside-sandbox.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const CUSTOMER = '15550101001';
const COLLEAGUE = '15550101002';
/** Another customer each time: the number of messages to one customer is limited. */
const SECOND = '15550101003';
const PHONE = IDS.booksOrders;

let server: TestProduct;
let connectionId: string;
let shop: Server;
let shopUrl: string;
/** Requests to the user's own systems. */
let calls: { path: string; body: string }[] = [];
/** The path that they refuse in this test. */
let refused = '';

beforeAll(async () => {
  server = await startTestProduct({ settings: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
  connectionId = await connectBooks(server);
  await server.api('POST', `/connections/${connectionId}/notifications`);
  await server.api('PUT', '/secrets/chatwoot', { value: 'the-token-of-the-inbox' });
  shop = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      calls.push({ path: request.url ?? '', body });
      response.statusCode = request.url === refused ? 409 : 200;
      const path = request.url ?? '';
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answerOfShop(path)));
    });
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});

/** At 18:00 every table is taken. */
const answerOfShop = (path: string): JsonObject => ({
  status: 'open',
  free: !path.includes('18'),
  appointments: [
    { name: 'Sample Customer', phone: CUSTOMER, time: '10:30' },
    { name: 'Sample Customer', phone: SECOND, time: '11:00' },
  ],
});

afterAll(async () => {
  shop.close();
  await server.stop();
});

/** The user's changes: account and number, the URL of the own system; and shorter waits for the test. */
function prepare(task: WorkflowTask): WorkflowTask {
  const { type, settings } = task;
  const sender = { connectionId, businessAccountId: IDS.books, phoneNumberId: PHONE };
  if (lacksSender(task)) {
    const filled = fillSender(task, sender);
    const isPatient = filled['pause_seconds'] !== undefined;
    return { ...task, settings: isPatient ? { ...filled, pause_seconds: 0 } : filled };
  }
  if (type === 'http_request') {
    const url = String(settings['url']).replace(/^https:\/\/[^/]+/, shopUrl);
    return { ...task, settings: { ...settings, url } };
  }
  if (type === 'delay' && settings['mode'] === 'for')
    return { ...task, settings: { ...settings, amount: 1, unit: 'seconds' } };
  if (settings['action'] === 'delay_until_time')
    return { ...task, type: 'delay', settings: { mode: 'for', amount: 1, unit: 'seconds' } };
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

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function customerWrites(
  text: string,
  { hidesNumber = false, customer = CUSTOMER, withImage = false } = {},
): Promise<string> {
  const content = withImage ? { image: { base64: PIXEL, caption: text } } : { text };
  const message = { customer, phone_number_id: PHONE, hides_number: hidesNumber, ...content };
  return (await server.control<{ id: string }>('POST', 'customer-messages', message)).id;
}

const outgoing = async (): Promise<Message[]> =>
  (await server.control<{ data: Message[] }>('GET', 'messages?direction=out')).data;

/** The outcome of one use of a starter. */
interface Outcome {
  run: Run;
  /** Sent messages, as `<receiver>: <text>`, sorted. */
  sent: string[];
  /** Their types, sorted. */
  types: string[];
  /** Requests to the user's own systems. */
  calls: { path: string; body: string }[];
  /** Of the webhook; undefined where a customer's message started the workflow. */
  answer: Response | undefined;
  /** The body of the event for the workflow's tasks. */
  body: JsonObject;
  /** Of the customer's message; empty where a webhook started the workflow. */
  messageId: string;
}

/** Publishes a starter, starts it by its real trigger with its sample (changed by `change`) and waits for its run's end. */
async function use(
  id: string,
  change: JsonObject = {},
  {
    hidesNumber = false,
    talk,
    ends = 'succeeded',
    customer = CUSTOMER,
  }: Pick<Expectation, 'hidesNumber' | 'talk' | 'ends' | 'customer'> = {},
): Promise<Outcome> {
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
  const phone: JsonObject = starter.sample['phone'] ? { phone: customer } : {};
  const sample: JsonObject = { ...starter.sample, ...phone, ...change };
  let answer: Response | undefined;
  let messageId = '';
  if (starter.startedBy === 'messages') {
    const withImage = sample['type'] === 'image';
    messageId = await customerWrites(toText(sample['text']), { hidesNumber, customer, withImage });
    onTestFinished(() => server.api('DELETE', `/workflows/${workflow.id}`));
  } else if (starter.startedBy === 'schedule') {
    await server.api('POST', `/workflows/${workflow.id}/start`);
    onTestFinished(() => server.api('DELETE', `/workflows/${workflow.id}`));
  } else {
    answer = await fetch(workflow.webhook.production_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sample),
      redirect: 'manual',
    });
  }
  await talk?.(talkToCustomer(server, { customer, phoneId: PHONE, known: before }));
  const run = await waitForRun(workflow.id, ends);
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

async function waitForRun(workflowId: string, status: 'succeeded' | 'failed'): Promise<Run> {
  const newest = async (): Promise<Run | undefined> =>
    (await server.api<{ data: Run[] }>('GET', `/runs?workflow_id=${workflowId}`)).data[0];
  return vi.waitFor(
    async () => {
      const run = await newest();
      expect(run).toMatchObject(status === 'failed' ? { status } : { status, error: null });
      return run as Run;
    },
    { interval: 50 },
  );
}

/** The expected results of a starter; at least one of the first four, none of them empty. */
interface Expectation {
  title: string;
  change?: JsonObject | (() => JsonObject | Promise<JsonObject>);
  before?: () => Promise<unknown> | void;
  /** The customer. */
  customer?: string;
  /** Left out: it succeeds. */
  ends?: 'succeeded' | 'failed';
  /** The customer chose a username: businesses do not get the number. */
  hidesNumber?: boolean;
  /** The customer's next action. */
  talk?: (customer: CustomerTalk) => Promise<void>;
  /** Texts on the customers' phones, with their receivers. */
  sent?: string[];
  /** Types of the messages on the customers' phones. */
  types?: string[];
  /** Requests to the user's own systems: a path, and a part of the body. */
  called?: [path: string, body: unknown];
  /** The response to the webhook's caller. */
  answered?: (answer: Response, posted: JsonObject) => Promise<void>;
  also?: (outcome: Outcome) => Promise<void>;
}

/** The user's own system refuses requests at this path. */
function refuse(path: string): void {
  refused = path;
  onTestFinished(() => void (refused = ''));
}

const to = (text: string): string => `${CUSTOMER}: ${text}`;
const toSecond = (text: string): string => `${SECOND}: ${text}`;
const containing = (text: string): string => expect.stringContaining(text) as string;
const READING = 'On Friday we host a reading of Sea Stories. Seats are free.';

/** The lead answers the questions: their need, then their budget, until it is valid. */
async function answerQuestions(lead: CustomerTalk, need: string, ...budgets: string[]): Promise<void> {
  await lead.hears('What can we build for you?');
  await lead.writes(need);
  for (const [index, budget] of budgets.entries()) {
    if (index === 0) await lead.hears('How much would you like to spend');
    else await lead.hears('Please write the amount', index);
    await lead.writes(budget);
  }
}

/** @returns the next link sent to a colleague */
async function beLinked(after: () => Promise<void>): Promise<string> {
  const known = new Set((await outgoing()).map(({ id }) => id));
  await after();
  const colleague = talkToCustomer(server, { customer: COLLEAGUE, phoneId: PHONE, known });
  const { text } = await colleague.hears('A decision is needed');
  return /http\S+\/resume\/[\w-]+/.exec(text)?.[0] ?? '';
}

async function decide(link: string, decision: JsonObject): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(link, { method: 'POST', headers, body: JSON.stringify(decision) });
  expect(answer.status).toBe(200);
}

const seenByBusiness = async ({ messageId }: Outcome): Promise<void> =>
  expect(await server.control('GET', `messages/${encodeURIComponent(messageId)}`)).toMatchObject({
    seen_by_business: true,
  });

/** The opening hours of every day. */
const setHours = (hours: { from: string; to: string }[]): Promise<unknown> =>
  server.api('PUT', '/workspace/time', {
    zone: 'Europe/Berlin',
    hours: { Restaurant: Object.fromEntries(WEEKDAYS.map((day) => [day, hours])) },
    holidays: {},
    quiet_hours: null,
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
      title:
        'sends the prices to a customer who asks for them; publishing asks the platform for the messages',
      before: () => server.api('DELETE', `/connections/${connectionId}/notifications`),
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
  'table-reservation': [
    {
      title: 'asks until a time is free, confirms, and reminds the next morning',
      before: () => setHours([{ from: '00:00', to: '00:00' }]),
      talk: async (guest) => {
        await guest.hears('At which time would you like to come');
        await guest.writes('at 18:00');
        await guest.hears('We are full at that time.');
        await guest.writes('then 19:30');
      },
      sent: [
        containing('then 19:30. Can you make it?'),
        to('We are full at that time. Which other time suits you?'),
        containing('With pleasure!'),
        to('Your table is reserved for tomorrow, then 19:30. See you then!'),
      ],
    },
    {
      title: 'says outside the opening hours that nobody answers',
      before: () => setHours([]),
      sent: [containing('We are closed at the moment')],
    },
  ],
  'morning-reminders': [
    {
      title: 'reminds all who come today',
      sent: [containing('10:30'), containing(`${SECOND}: `)],
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
  'lead-qualification': [
    {
      title: 'asks the lead, then a colleague, who takes over by the link',
      talk: async (lead) => {
        const link = await beLinked(() => answerQuestions(lead, 'Online shop', 'a lot', '2500'));
        expect(await (await fetch(link)).text()).toContain('Budget: 2500 euros');
        await decide(link, { decision: 'approve', comment: 'Her name is Kim.' });
      },
      sent: [
        to('Good news: a colleague will write to you in a moment. Her name is Kim.'),
        to('How much would you like to spend, in euros?'),
        to('Please write the amount as a number, for example 2500.'),
        to('Thank you for your message, Customer 1001! What can we build for you?'),
        containing(`${COLLEAGUE}: A decision is needed about a lead, Online shop for 2500 euros.`),
      ],
    },
    {
      title: 'tells the lead to wait when the colleague has no time',
      talk: async (lead) => {
        const link = await beLinked(() => answerQuestions(lead, 'Something else', '1000'));
        await decide(link, { decision: 'reject' });
      },
      types: ['interactive', 'template', 'text', 'text'],
      also: async ({ sent }) =>
        expect(sent).toContain(to('Thank you! We will get back to you within one working day.')),
    },
    {
      title: 'gets back to who does not tell a budget',
      customer: SECOND,
      talk: (lead) => answerQuestions(lead, 'Website', 'a lot', 'very much', 'enough', 'I will not say'),
      types: ['interactive', 'text', 'text', 'text', 'text', 'text'],
      also: async ({ sent }) => expect(sent).toContainEqual(containing('No problem, we can talk about it.')),
    },
    {
      title: 'sends the packages where the budget is small',
      talk: (lead) => answerQuestions(lead, 'Website', '300'),
      types: ['interactive', 'text', 'text'],
      also: async ({ sent }) => expect(sent).toContainEqual(containing('Our packages below 1000 euros')),
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
      title: 'reaches the recipient of a row',
      sent: [to(READING)],
    },
  ],
  'appointment-reminder': [
    {
      title: 'reminds at the time',
      change: () => ({ remind_at: new Date(Date.now() + 1_000).toISOString() }),
      sent: [containing('Hello Sample Customer, we look forward to seeing you on 12 May at 10:30.')],
    },
  ],
  'appointment-rebooking': [
    {
      title: 'confirms the appointment',
      change: () => ({ remind_at: new Date().toISOString() }),
      talk: ({ taps }) => taps('we look forward to seeing you on 12 May', 'Confirm'),
      sent: [
        containing('Hello Sample Customer, we look forward to seeing you on 12 May at 10:30.'),
        to('Thank you, Sample Customer. See you on 12 May at 10:30.'),
      ],
      also: async ({ calls: told }) => expect(told).toEqual([]),
    },
    {
      title: 'moves it to another time',
      change: () => ({ remind_at: new Date().toISOString() }),
      talk: async ({ taps }) => {
        await taps('we look forward to seeing you', 'Reschedule');
        await taps('Which time suits you better?', 'Tuesday, 14:00');
      },
      sent: [
        containing('Hello Sample Customer, we look forward to seeing you'),
        to('No problem. Which time suits you better?'),
        to('Your new appointment: Tuesday, 14:00. See you then!'),
      ],
      called: [
        '/api/appointments',
        '{"phone":"15550101001","name":"Sample Customer","was":"12 May, 10:30","now":"Tuesday, 14:00"}',
      ],
    },
    {
      title: 'offers times again until one is free, and announces a call where none is',
      customer: SECOND,
      before: () => refuse('/api/appointments'),
      change: () => ({ remind_at: new Date().toISOString() }),
      talk: async ({ taps }) => {
        await taps('we look forward to seeing you', 'Reschedule');
        await taps('Which time suits you better?', 'Monday, 9:00');
        await taps('Which other time suits you?', 'Tuesday, 14:00');
        await taps('Which other time suits you?', 'Thursday, 17:30', 2);
      },
      sent: [
        containing('Hello Sample Customer, we look forward to seeing you'),
        toSecond('I am sorry, Monday, 9:00 is no longer free.'),
        toSecond('I am sorry, Thursday, 17:30 is no longer free.'),
        toSecond('I am sorry, Tuesday, 14:00 is no longer free.'),
        toSecond('No problem. Which time suits you better?'),
        toSecond('Thank you, Sample Customer. A colleague will call you about another time.'),
        toSecond('Which other time suits you?'),
        toSecond('Which other time suits you?'),
      ],
      called: ['/api/tasks', containing('Limit reached: repeated 3 times')],
    },
    {
      title: 'asks for a call where the customer says something else',
      change: () => ({ remind_at: new Date().toISOString() }),
      talk: async ({ hears, writes }) => {
        await hears('we look forward to seeing you');
        await writes('I am ill');
      },
      called: ['/api/tasks', containing('"title":"Call Sample Customer about 12 May, 10:30"')],
    },
  ],
  'order-status': [
    {
      title: 'answers who names the number',
      sent: [to('Hi Customer 1001, the status of your order is: open.')],
      called: ['/api/orders?search=Where+is+my+order+1001%3F', ''],
    },
    {
      title: 'asks for the number',
      change: { text: 'Where is my parcel?' },
      talk: async ({ hears, writes }) => {
        await hears('Which order is it about?');
        await writes('1002');
      },
      sent: [
        to('Hi Customer 1001, the status of your order is: open.'),
        to('Which order is it about? Please write its number, such as 1001.'),
      ],
      called: ['/api/orders?search=1002', ''],
    },
  ],
  'delivery-feedback': [
    {
      title: 'invites a happy customer to a review',
      talk: ({ taps }) => taps('How was it?', 'Great'),
      sent: [
        to('Hi Sample Customer, your order A-1001 was delivered. How was it?'),
        to('Thank you, Sample Customer! A short review helps us a lot: https://example.com/review'),
      ],
    },
    {
      title: 'tells the support what went wrong',
      talk: async ({ taps, hears, writes }) => {
        await taps('How was it?', 'Not good');
        await hears('What should we do better?');
        await writes('The lid was broken.');
      },
      called: [
        '/api/tickets',
        '{"order":"A-1001","phone":"15550101001","rating":"Not good","words":"The lid was broken."}',
      ],
    },
    {
      title: 'tells the support what a customer writes instead of tapping',
      customer: SECOND,
      talk: async ({ hears, writes }) => {
        await hears('How was it?');
        await writes('It came a day late');
      },
      sent: [
        toSecond('Hi Sample Customer, your order A-1001 was delivered. How was it?'),
        toSecond('Thank you, Sample Customer. A colleague reads this today.'),
      ],
      called: [
        '/api/tickets',
        '{"order":"A-1001","phone":"15550101003","rating":"","words":"It came a day late"}',
      ],
    },
  ],
  'opt-in': [
    {
      title: 'welcomes who confirms even where the consent cannot be recorded, and fails',
      customer: SECOND,
      before: () => refuse('/api/consents'),
      talk: ({ taps }) => taps('you signed up for our news', 'Yes, please'),
      ends: 'failed',
      sent: [
        toSecond('Hi Sample Customer, you signed up for our news. Do you want to get them here?'),
        toSecond('Welcome, Sample Customer! You get our news here. To stop, just tell us.'),
      ],
    },
    {
      title: 'records the consent',
      talk: ({ taps }) => taps('you signed up for our news', 'Yes, please'),
      sent: [
        to('Hi Sample Customer, you signed up for our news. Do you want to get them here?'),
        to('Welcome, Sample Customer! You get our news here. To stop, just tell us.'),
      ],
      called: ['/api/consents', containing('"phone":"15550101001","consent":true,')],
    },
    {
      title: 'records the refusal',
      talk: ({ taps }) => taps('you signed up for our news', 'No, thanks'),
      called: ['/api/consents', containing('"consent":false,')],
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
  'messages-to-inbox': [
    {
      title: 'creates a contact for the first message',
      called: [
        '/public/api/v1/inboxes/inbox-identifier/contacts',
        '{"name":"Customer 1001","custom_attributes":{"patchbay_customer":"15550101001"}}',
      ],
    },
  ],
  'replies-from-inbox': [
    {
      title: 'sends the reply with its file, and keeps workflows from sending',
      before: async () => {
        await customerWrites('It arrived broken.');
        onTestFinished(() => server.api('DELETE', `/customers/${CUSTOMER}/hold`));
      },
      sent: [containing(CUSTOMER), to('We send you a new one. Here is the label for the return.')],
      types: ['document', 'text'],
      also: async () =>
        expect(await server.api('GET', `/customers/${CUSTOMER}/hold`)).toMatchObject({
          hold: { reason: 'Ada answers in Chatwoot.' },
        }),
    },
    {
      title: 'tells the team why a reply was not sent',
      change: { conversation: { id: 10, meta: { sender: { custom_attributes: {} } } } },
      called: [
        '/api/v1/accounts/3/conversations/10/messages',
        containing('The customer did not get this reply.'),
      ],
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
    const outcome = await use(id, change, expected);
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

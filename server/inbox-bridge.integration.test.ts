// The two workflows of docs/guides/inbox.md between the product, a server of the shape of Chatwoot's API, and the sandbox's
// customers, beside a workflow that answers customers itself.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { messagesToInbox, repliesFromInbox } from '#lib/editor/starters/inbox.ts';
import type { Starter } from '#lib/editor/starters/build.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { fillSender, lacksSender } from '#lib/tasks/fill-sender.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { connectBooks } from './testing/beside-sandbox.ts';
import {
  INBOX_IDENTIFIER,
  INBOX_SECRET,
  INBOX_TOKEN,
  type InboxServer,
  startInboxServer,
} from './testing/inbox-server.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const PHONE = IDS.booksOrders;
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const BOT = 'We answer on weekdays.';

let product: TestProduct;
let inbox: InboxServer;
let connectionId: string;
/** Ids of the workflows. */
let bot: string;
let toInbox: string;
let fromInbox: string;
let customers = 0;
let customer = '';

beforeAll(async () => {
  [product, inbox] = await Promise.all([
    startTestProduct({ settings: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } }),
    startInboxServer(),
  ]);
  connectionId = await connectBooks(product);
  await product.api('PUT', '/secrets/chatwoot', { value: INBOX_TOKEN });
  // Every notification of the platform comes twice.
  await product.control('POST', 'settings', { notification_copies: 2 });
  toInbox = (await publish(messagesToInbox)).id;
  const replies = await publish(repliesFromInbox);
  fromInbox = replies.id;
  inbox.webhookUrl = replies.webhook.production_url;
  bot = (
    await product.api<Published>('POST', '/workflows', {
      name: 'Bot',
      publish: true,
      tasks: [
        {
          id: 1,
          type: 'inbound_webhook',
          settings: { starts_on: 'messages', app_connection_id: connectionId },
        },
        {
          id: 2,
          type: 'messaging_business',
          settings: { ...sender(), action: 'send_text', recipient: '{{task_1_from}}', message_text: BOT },
        },
      ],
      edges: [{ from: 1, to: 2 }],
    })
  ).id;
});
beforeEach(() => {
  customer = `1555044${String((customers += 1)).padStart(4, '0')}`;
});
afterAll(async () => {
  await product?.stop();
  await inbox?.close();
});

interface Published {
  id: string;
  webhook: { production_url: string };
}

const sender = () => ({ app_connection_id: connectionId, phone_number_id: PHONE });

const publish = ({ name, graph }: Starter): Promise<Published> =>
  product.api('POST', '/workflows', {
    name,
    publish: true,
    tasks: graph.tasks.map((task) => ({ ...task, settings: prepare(task) })),
    edges: graph.edges,
  });

/** The entries that the guide asks for. */
function prepare(task: WorkflowTask): WorkflowTask['settings'] {
  const { type, settings } = task;
  if (type === 'http_request')
    return { ...settings, url: String(settings['url']).replace('https://app.chatwoot.com', inbox.url) };
  if (type === 'set_variables') return { variables: [{ name: 'inbox_identifier', value: INBOX_IDENTIFIER }] };
  if (type === 'inbound_webhook')
    return {
      ...settings,
      caller_check: 'hmac',
      caller_header: 'X-Chatwoot-Signature',
      signature_prefix: 'sha256=',
      timestamp_header: 'X-Chatwoot-Timestamp',
      caller_secret: INBOX_SECRET,
    };
  return lacksSender(task)
    ? fillSender(task, { connectionId, businessAccountId: IDS.books, phoneNumberId: PHONE })
    : settings;
}

const write = (text: string, from = customer) =>
  product.control('POST', 'customer-messages', { customer: from, phone_number_id: PHONE, text });

interface Message {
  type: string;
  text: string;
}

/** What the customer got, oldest first. */
const phone = async (): Promise<string[]> => {
  const { data } = await product.control<{ data: Message[] }>('GET', `messages?direction=out&to=${customer}`);
  return data.map(({ type, text }) => (type === 'text' ? text : `(${type}) ${text}`.trim()));
};

const conversationOf = (name = customer) => {
  const found = inbox.conversations.filter(
    ({ contact }) => contact.customAttributes['patchbay_customer'] === name,
  );
  expect(found).toHaveLength(1);
  return found[0]!;
};
const incoming = (name = customer) =>
  conversationOf(name).messages.flatMap(({ type, content }) => (type === 'incoming' ? [content] : []));

const holdOf = async (): Promise<{ until: string; reason: string } | null> =>
  (
    await product.api<{ hold: { until: string; reason: string } | null }>(
      'GET',
      `/customers/${customer}/hold`,
    )
  ).hold;

interface Run {
  id: string;
  status: string;
}

const runsOf = async (workflow: string): Promise<Run[]> =>
  (await product.api<{ data: Run[] }>('GET', `/runs?workflow_id=${workflow}&limit=100`)).data;

/** Waits until every run of the workflows has ended. */
const settled = (...workflows: string[]) =>
  vi.waitFor(
    async () => {
      for (const workflow of workflows)
        for (const { status } of await runsOf(workflow))
          expect(['succeeded', 'failed', 'cancelled']).toContain(status);
    },
    { interval: 100 },
  );

const statusesOf = async (workflow: string): Promise<string[]> =>
  (await runsOf(workflow)).map(({ status }) => status);

test('a person takes over in the inbox, and gives back: one voice all the time', async () => {
  await write('Hello');
  await vi.waitFor(() => expect(incoming()).toEqual(['Hello']));
  await vi.waitFor(async () => expect(await phone()).toEqual([BOT]));

  await inbox.reply(conversationOf(), 'Hi, Ada here.', { copies: 2 });
  await vi.waitFor(async () => expect(await phone()).toEqual([BOT, 'Hi, Ada here.']));
  expect(inbox.answers.filter(({ event }) => event === 'message_created').slice(-2)).toEqual([
    { event: 'message_created', status: 200 },
    { event: 'message_created', status: 200 },
  ]);
  const hold = await holdOf();
  expect(hold?.reason).toBe('Ada answers in Chatwoot.');
  expect(Date.parse(hold?.until ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);

  await write('My parcel is broken');
  await vi.waitFor(() => expect(incoming()).toEqual(['Hello', 'My parcel is broken']));
  await settled(bot);
  expect((await statusesOf(bot))[0]).toBe('failed');
  await inbox.reply(conversationOf(), 'We send a new one.');
  await vi.waitFor(async () => expect((await phone()).at(-1)).toBe('We send a new one.'));

  await inbox.resolve(conversationOf());
  await vi.waitFor(async () => expect(await holdOf()).toBeNull());
  await write('Thank you');
  await vi.waitFor(async () =>
    expect(await phone()).toEqual([BOT, 'Hi, Ada here.', 'We send a new one.', BOT]),
  );
  await settled(bot, toInbox, fromInbox);
  expect(incoming()).toEqual(['Hello', 'My parcel is broken', 'Thank you']);
  expect(conversationOf().status).toBe('open');
  expect(inbox.refusals).toEqual([]);

  const found = await product.api<{ data: { id: string }[] }>('GET', `/customers?search=${customer}`);
  const { data } = await product.api<{ data: { direction: string; by_person: boolean; text: string }[] }>(
    'GET',
    `/customers/${found.data[0]?.id}/timeline`,
  );
  const sent = data
    .filter(({ direction }) => direction === 'sent')
    .map((each) => [each.text, each.by_person]);
  expect(sent.toReversed()).toEqual([
    [BOT, false],
    ['Hi, Ada here.', true],
    ['We send a new one.', true],
    [BOT, false],
  ]);
});

test('while the inbox is down nothing is lost, each arrives once, and in order', async () => {
  inbox.failures = [503, 502, 'hangs up', 502];
  const before = inbox.failed;
  const other = `${customer}9`;
  const texts = ['One', 'Two', 'Three'];
  for (const text of texts) await write(text);
  await write('Me, too', other);
  // Both first messages were tried, and failed, more than once.
  await vi.waitFor(() => expect(inbox.failed).toBeGreaterThanOrEqual(before + 4));
  expect(
    inbox.conversations.filter(({ contact }) => contact.customAttributes['patchbay_customer'] === customer),
  ).toEqual([]);
  inbox.failures = [];
  await vi.waitFor(() => expect(incoming()).toEqual(texts));
  await vi.waitFor(() => expect(incoming(other)).toEqual(['Me, too']));
  await settled(toInbox);
  expect(await statusesOf(toInbox)).not.toContain('failed');
  expect(incoming()).toEqual(texts);
});

test('private notes are not sent; files go both ways, and what cannot be sent comes back as a note', async () => {
  await write('Hello');
  await vi.waitFor(async () => expect(await phone()).toEqual([BOT]));
  await vi.waitFor(() => expect(incoming()).toEqual(['Hello']));
  const conversation = conversationOf();
  const image = { base64: PIXEL, caption: 'It arrived like this' };
  await product.control('POST', 'customer-messages', { customer, phone_number_id: PHONE, image });
  await vi.waitFor(() =>
    expect(incoming().at(-1)).toMatch(/^It arrived like this http:\/\/127\.0\.0\.1:\d+\/files\/\S+$/),
  );
  await vi.waitFor(async () => expect(await phone()).toEqual([BOT, BOT]));
  await inbox.reply(conversation, 'Careful, this one complains a lot.', { isPrivate: true });
  const files = [
    { id: 1, file_type: 'image', data_url: 'https://files.example.com/label.png' },
    { id: 2, file_type: 'file', data_url: 'https://files.example.com/label.pdf' },
  ];
  await inbox.reply(conversation, null, { attachments: files });
  await settled(fromInbox);
  expect(await phone()).toEqual([BOT, BOT, '(image)', '(document)']);

  await product.api('PUT', `/customers/${customer}/consent`, { purpose: 'all', state: 'stopped' });
  await inbox.reply(conversation, 'Are you still there?');
  await vi.waitFor(() => expect(conversation.messages.at(-1)).toMatchObject({ private: true }));
  expect(conversation.messages.at(-1)?.content).toMatch(
    /^The customer did not get this reply\. Customer stopped: .* The message was not sent\./,
  );
  await settled(fromInbox);
  expect(await phone()).toHaveLength(4);
});

describe('what somebody else posts to the URL', () => {
  test('is refused without the signature', async () => {
    const answer = await fetch(inbox.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(repliesFromInbox.sample),
    });
    expect(answer.status).toBe(401);
  });
});

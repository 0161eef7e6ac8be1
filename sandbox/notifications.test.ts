import { verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IDS } from './data/businesses.ts';
import { type Received, startReceiver, type TestReceiver } from './testing/test-receiver.ts';
import { startTestSandbox, templateMessage, type TestSandbox } from './testing/test-sandbox.ts';
import { userIdOf } from './user-ids.ts';

const SECRET = 'the-secret-of-the-app';
const VERIFY_TOKEN = 'verify-me';
const CUSTOMER = '15557010123';

let sandbox: TestSandbox;
let receiver: TestReceiver;
let failures: number;

beforeEach(async () => {
  failures = 0;
  receiver = await startReceiver(({ method, url }, response) => {
    const query = new URL(url, 'http://receiver').searchParams;
    if (method === 'GET') {
      const right = query.get('hub.verify_token') === VERIFY_TOKEN && query.get('hub.mode') === 'subscribe';
      response.writeHead(right ? 200 : 403).end(right ? query.get('hub.challenge') : 'no');
    } else {
      failures -= 1;
      response.writeHead(failures >= 0 ? 500 : 200).end();
    }
  });
  sandbox = await startTestSandbox({
    client: { secret: SECRET },
    settings: { sent_after_ms: 0, delivered_after_ms: 0, notification_retry_ms: [1, 1, 1] },
  });
});
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
});

const subscribe = (accountId: string = IDS.books, verifyToken = VERIFY_TOKEN) =>
  sandbox.graph('POST', `${accountId}/subscribed_apps`, {
    override_callback_uri: `${receiver.url}/hook?a=1`,
    verify_token: verifyToken,
  });

type Body = {
  object: string;
  entry: { id: string; changes: { field: string; value: Record<string, unknown> }[] }[];
};
const posts = () => receiver.received.filter(({ method }) => method === 'POST');
const changes = () =>
  posts().flatMap(({ body }) => (JSON.parse(body) as Body).entry.flatMap((entry) => entry.changes));
const fieldsOf = (received: Received) => (JSON.parse(received.body) as Body).entry[0]?.changes[0];
const allStatuses = () =>
  changes().flatMap(({ value }) => (value.statuses ?? []) as { id: string; status: string }[]);

test('subscribing shakes hands first: challenge and verify token; GET lists it, DELETE ends it', async () => {
  expect((await subscribe()).body).toEqual({ success: true });
  expect(receiver.received[0]?.url).toMatch(
    /^\/hook\?a=1&hub\.mode=subscribe&hub\.verify_token=verify-me&hub\.challenge=\w+$/,
  );
  const listed = await sandbox.graph('GET', `${IDS.books}/subscribed_apps`);
  expect(listed.body.data?.[0]).toMatchObject({
    override_callback_uri: `${receiver.url}/hook?a=1`,
    whatsapp_business_api_data: { id: 'patchbay-sandbox' },
  });
  await sandbox.graph('DELETE', `${IDS.books}/subscribed_apps`);
  expect((await sandbox.graph('GET', `${IDS.books}/subscribed_apps`)).body.data).toEqual([]);
});

test('a wrong handshake is refused with 2200', async () => {
  const answer = await subscribe(IDS.books, 'something else');
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code: 2200, message: expect.stringContaining('403') as string } },
  });
  expect((await sandbox.control('GET', 'subscriptions')).data).toEqual([]);
});

test('a URL that answers 200 without the challenge is refused too', async () => {
  const careless = await startReceiver((_received, response) => void response.end('ok'));
  const body = { override_callback_uri: careless.url, verify_token: VERIFY_TOKEN };
  const answer = await sandbox.graph('POST', `${IDS.books}/subscribed_apps`, body);
  await careless.close();
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code: 2200, message: expect.stringContaining('challenge') as string } },
  });
});

test('an incoming message arrives signed over the raw bytes, with anything past ASCII escaped', async () => {
  await subscribe();
  const input = { customer: CUSTOMER, phone_number_id: IDS.booksOrders, text: 'Grüße 👋', name: 'Guest' };
  const { id } = await sandbox.control('POST', 'customer-messages', input);
  await vi.waitFor(() => expect(posts()).toHaveLength(1));
  const [post] = posts();
  const signatureHeader = String(post?.headers['x-hub-signature-256']);
  expect(verifySignature({ appSecret: SECRET, rawBody: post?.body ?? '', signatureHeader })).toBe(true);
  expect(verifySignature({ appSecret: 'wrong', rawBody: post?.body ?? '', signatureHeader })).toBe(false);
  expect(post?.body).toContain('Gr\\u00fc\\u00dfe \\ud83d\\udc4b');
  expect(fieldsOf(post as Received)).toEqual({
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '12125550101', phone_number_id: IDS.booksOrders },
      contacts: [{ profile: { name: 'Guest' }, wa_id: CUSTOMER, user_id: userIdOf(CUSTOMER) }],
      messages: [
        {
          from: CUSTOMER,
          from_user_id: userIdOf(CUSTOMER),
          id,
          timestamp: expect.stringMatching(/^\d{10}$/) as string,
          type: 'text',
          text: { body: 'Grüße 👋' },
        },
      ],
    },
  });
});

test('of a customer who hides the number only the user id is told, in messages and statuses; it can be sent to', async () => {
  await subscribe();
  const input = { customer: CUSTOMER, phone_number_id: IDS.booksOrders, text: 'Hi', hides_number: true };
  await sandbox.control('POST', 'customer-messages', input);
  await vi.waitFor(() => expect(posts()).toHaveLength(1));
  const recipient = userIdOf(CUSTOMER);
  const value = fieldsOf(posts()[0] as Received)?.value;
  expect(value).toMatchObject({
    contacts: [{ user_id: recipient }],
    messages: [{ from_user_id: recipient, type: 'text' }],
  });
  expect(value).not.toHaveProperty('contacts.0.wa_id');
  expect(value).not.toHaveProperty('messages.0.from');
  const message = { messaging_product: 'whatsapp', recipient, type: 'text', text: { body: 'Hello' } };
  const sent = await sandbox.graph('POST', `${IDS.booksOrders}/messages`, message);
  expect(sent.body).toMatchObject({ contacts: [{ input: recipient, user_id: recipient }] });
  await vi.waitFor(() => expect(allStatuses().length).toBeGreaterThan(0));
  for (const status of allStatuses()) {
    expect(status).toMatchObject({ recipient_user_id: recipient });
    expect(status).not.toHaveProperty('recipient_id');
  }
  for (const wrong of [{ recipient: 'US.1' }, {}]) {
    const refused = await sandbox.graph('POST', `${IDS.booksOrders}/messages`, {
      ...message,
      recipient: undefined,
      ...wrong,
    });
    expect(refused.status).toBe(400);
  }
});

test('statuses of a message arrive: sent and delivered; failed with errors', async () => {
  await subscribe();
  const sent = await sandbox.send(CUSTOMER, templateMessage('hello_world'));
  const failed = await sandbox.send('15557010000', templateMessage('hello_world'));
  const idOf = ({ body }: typeof sent) => body.messages?.[0]?.id;
  await vi.waitFor(() => expect(allStatuses()).toHaveLength(3));
  expect(allStatuses()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: idOf(sent), status: 'sent', recipient_id: CUSTOMER }),
      expect.objectContaining({ id: idOf(sent), status: 'delivered' }),
      expect.objectContaining({
        id: idOf(failed),
        status: 'failed',
        errors: [expect.objectContaining({ code: 131026 })],
      }),
    ]),
  );
});

test('other accounts stay silent', async () => {
  await subscribe(IDS.bakery);
  await sandbox.openWindow(CUSTOMER, IDS.booksOrders);
  await sandbox.openWindow(CUSTOMER, IDS.bakeryCounter);
  await vi.waitFor(() => expect(posts()).toHaveLength(1));
  expect((JSON.parse(posts()[0]?.body ?? '') as Body).entry[0]?.id).toBe(IDS.bakery);
});

test('a receiver that fails gets the same bytes again', async () => {
  await subscribe();
  failures = 2;
  await sandbox.openWindow(CUSTOMER);
  await vi.waitFor(() => expect(posts()).toHaveLength(3));
  expect(new Set(posts().map(({ body }) => body)).size).toBe(1);
  const attempts = await sandbox.control('GET', 'notifications');
  expect((attempts.data as unknown as { status: number }[]).map(({ status }) => status)).toEqual([
    500, 500, 200,
  ]);
});

test('at least once, batched, unordered: copies and batches by the settings', async () => {
  await subscribe();
  await sandbox.control('POST', 'settings', {
    notification_copies: 2,
    notification_batch_ms: 40,
    sent_after_ms: 1,
    delivered_after_ms: 1,
  });
  await sandbox.send(CUSTOMER, templateMessage('hello_world'));
  await vi.waitFor(() => expect(posts()).toHaveLength(2));
  expect(posts()[0]?.body).toBe(posts()[1]?.body);
  expect(
    allStatuses()
      .slice(0, 2)
      .map(({ status }) => status),
  ).toEqual(['delivered', 'sent']);
});

test('template reviews and quality changes are told', async () => {
  await subscribe();
  const { body } = await sandbox.graph('GET', `${IDS.books}/message_templates?name=winter_sale`);
  const templateId = String(body.data?.[0]?.id);
  await sandbox.control('POST', `templates/${templateId}`, { status: 'REJECTED', reason: 'SCAM' });
  await sandbox.control('POST', `phone-numbers/${IDS.booksOrders}`, {
    quality_rating: 'RED',
    messaging_limit_tier: 'TIER_1K',
  });
  await vi.waitFor(() => expect(changes()).toHaveLength(2));
  expect(changes()).toEqual(
    expect.arrayContaining([
      {
        field: 'message_template_status_update',
        value: {
          event: 'REJECTED',
          message_template_id: Number(templateId),
          message_template_name: 'winter_sale',
          message_template_language: 'en_US',
          reason: 'SCAM',
        },
      },
      {
        field: 'phone_number_quality_update',
        value: { display_phone_number: '12125550101', event: 'FLAGGED', current_limit: 'TIER_1K' },
      },
    ]),
  );
});

// How many customers count against the platform's limits (docs/messaging.md), against a sandbox with limits per portfolio.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { inspectConnection } from '#lib/messaging/connections/inspect-connection.ts';
import { listPhoneNumbers } from '#lib/messaging/connections/list-accounts.ts';
import { learnCustomer } from '#lib/messaging/customers/customer-names.ts';
import type { StatusChange } from '#lib/messaging/notifications/notification-types.ts';
import { recordStatuses } from '#lib/messaging/notifications/record-statuses.ts';
import { pruneMessaging } from '#lib/messaging/prune-messaging.ts';
import { recordSent, type SentMessage } from '#lib/messaging/sending/record-sent.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS as IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { runAction } from '#lib/messaging/testing/run-action.ts';
import { readsOfWork } from '#lib/testing/explain.ts';
import { countCustomers } from './count-customers.ts';
import { listLimits } from './list-limits.ts';

const CUSTOMER = '4915557010123';
const USER_ID = 'US.1349';
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];

let world: MessagingWorld;
let books: string;
beforeAll(async () => {
  world = await startMessagingWorld({}, { strict: true });
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.control('POST', 'reset');
  for (const table of ['connections', 'business_initiated_messages', 'sent_messages', 'customer_names'])
    await world.runtime.hot.query(`delete from ${table}`);
  await world.runtime.hot.query('delete from conversation_windows');
  books = await connect(IDS.books);
});

async function connect(accountId: string): Promise<string> {
  const { access_token } = await world.mint({ scopes: SCOPES, expires_in: 'never' });
  const input = { name: accountId, access_token, business_account_id: accountId };
  const { id } = await createConnection(world.ctx, input);
  await inspectConnection(world.ctx, id);
  return id;
}

/** @returns the id of the message */
async function send(recipient: string, settings: object = {}): Promise<string> {
  const { output } = await runAction(world, {
    action: 'send_template',
    app_connection_id: books,
    business_account_id: IDS.books,
    phone_number_id: IDS.booksOrders,
    template_name: 'hello_world',
    recipient,
    ...settings,
  });
  return output['message_id'] as string;
}

/** A context without cached counts. */
const freshContext = () => ({ ...world.ctx, db: Object.create(world.ctx.db) as Database });
const count = (...ids: string[]): Promise<number> => countCustomers(freshContext(), ids);

/** Records a template that was sent, like sending. */
const record = (sent: Partial<SentMessage> & { messageId: string }) =>
  recordSent(world.ctx, {
    connectionId: books,
    phoneNumberId: IDS.booksOrders,
    recipient: CUSTOMER,
    kind: 'template',
    taskRun: null,
    ...sent,
  });

const statusOf = (messageId: string): StatusChange => ({
  kind: 'status',
  key: messageId,
  raw: {},
  businessAccountId: IDS.books,
  phoneNumberId: IDS.booksOrders,
  messageId,
  status: 'failed',
  at: new Date(),
  recipient: CUSTOMER,
  number: CUSTOMER,
  userId: '',
  errors: [],
  pricing: null,
  isOfGroup: false,
});

/** The customer wrote to a number this long ago. */
const wrote = (customer: string, ago: string, phone: string = IDS.booksOrders) =>
  world.runtime.hot.query(
    `insert into conversation_windows values ($1, $2, $3, now() - $4::interval, 'wamid.w')`,
    [world.workspaceId, phone, customer, ago],
  );

describe('what counts', () => {
  test('a customer counts once, however many templates they get, from whichever of the numbers', async () => {
    await send(CUSTOMER);
    await send(CUSTOMER);
    await send(CUSTOMER, { phone_number_id: IDS.booksSupport });
    await send('4915557010124', { phone_number_id: IDS.booksSupport });
    expect(await count(IDS.booksOrders)).toBe(1);
    expect(await count(IDS.booksOrders, IDS.booksSupport)).toBe(2);
  });

  test('a template within an open window does not count; one after it, or from another number, does', async () => {
    await wrote(CUSTOMER, '23 hours');
    await send(CUSTOMER);
    expect(await count(IDS.booksOrders)).toBe(0);
    await wrote('4915557010124', '25 hours');
    await send('4915557010124');
    await wrote('4915557010125', '1 hour', IDS.booksSupport);
    await send('4915557010125');
    expect(await count(IDS.booksOrders)).toBe(2);
  });

  test('who writes after the template still counts: it was sent before the window opened', async () => {
    await send(CUSTOMER);
    await wrote(CUSTOMER, '0 hours');
    await send(CUSTOMER);
    expect(await count(IDS.booksOrders)).toBe(1);
  });

  test('texts do not count', async () => {
    await world.customerWrites(CUSTOMER);
    await send(CUSTOMER, { action: 'send_text', message_text: 'Hello!', template_name: '' });
    expect(await count(IDS.booksOrders)).toBe(0);
  });

  test('a customer under a number and a user id is one, and their window is open under both', async () => {
    const told = { number: CUSTOMER, userId: `${USER_ID}${CUSTOMER}`, businessAccountId: IDS.books };
    await send(told.number);
    await send(told.userId);
    expect(await count(IDS.booksOrders)).toBe(2);
    await learnCustomer(world.runtime.hot, world.workspaceId, told);
    expect(await count(IDS.booksOrders)).toBe(1);
    await world.runtime.hot.query('delete from business_initiated_messages');
    await wrote(told.userId, '1 hour');
    await send(told.number);
    expect(await count(IDS.booksOrders)).toBe(0);
  });

  test('a message that failed does not count, whether it says so after the answer to the send or before', async () => {
    const failed = (messageId: string) => {
      const { hot } = world.runtime;
      const owner = { workspaceId: world.workspaceId, connectionId: books };
      return recordStatuses(hot, [{ owner, change: statusOf(messageId) }]);
    };
    await send(CUSTOMER);
    await failed(await send('4915557010124'));
    expect(await count(IDS.booksOrders)).toBe(1);
    await failed('wamid.early');
    await record({ messageId: 'wamid.early', recipient: '4915557010125' });
    await record({ messageId: 'wamid.other', recipient: '4915557010126' });
    expect(await count(IDS.booksOrders)).toBe(2);
  });

  test('what is older than 24 hours does not count, and is removed', async () => {
    await send(CUSTOMER);
    await world.runtime.hot.query(
      `update business_initiated_messages set sent_at = now() - interval '24 hours 1 second'`,
    );
    await send('4915557010124');
    expect(await count(IDS.booksOrders)).toBe(1);
    await pruneMessaging(world.runtime.hot);
    const { rows } = await world.runtime.hot.query('select recipient from business_initiated_messages');
    expect(rows).toEqual([{ recipient: '4915557010124' }]);
  });

  test('other workspaces count for themselves', async () => {
    await send(CUSTOMER);
    const stranger = { ...freshContext(), workspaceId: newId() };
    expect(await countCustomers(stranger, [IDS.booksOrders])).toBe(0);
  });
});

describe('what shares a limit', () => {
  test('numbers of all accounts of the portfolio, and nobody else', async () => {
    const events = await connect(IDS.bookEvents);
    await connect(IDS.clinic);
    await send(CUSTOMER);
    await record({ messageId: 'wamid.events', connectionId: events, phoneNumberId: IDS.events });
    await record({ messageId: 'wamid.more', recipient: '4915557010124', phoneNumberId: IDS.events });
    await record({ messageId: 'wamid.clinic', recipient: '4915557010125', phoneNumberId: IDS.clinicDesk });
    const shared = { messaging_limit_tier: null, portfolio_messaging_limit: 'TIER_100K' };
    for (const id of [books, events])
      expect((await listPhoneNumbers(freshContext(), { id }))[0]).toMatchObject({
        ...shared,
        customers_in_24_hours: 2,
      });
    expect(await listLimits(freshContext())).toEqual(
      expect.arrayContaining([
        {
          id: IDS.verifiedBusiness,
          name: 'Harbour Street Books',
          numbers: 4,
          tier: null,
          portfolioTier: 'TIER_100K',
          customers: 2,
        },
        {
          id: IDS.clinicBusiness,
          name: 'Lakeside Clinic',
          numbers: 1,
          tier: null,
          portfolioTier: 'TIER_UNLIMITED',
          customers: 1,
        },
      ]),
    );
  });

  test('an account whose portfolio the platform does not return counts for itself', async () => {
    const events = await connect(IDS.bookEvents);
    await world.runtime.hot.query(
      `update connection_facts set accounts = replace(accounts::text, '"portfolio"', '"unknown"')::json`,
    );
    await send(CUSTOMER);
    await record({ messageId: 'wamid.events', recipient: '4915557010124', phoneNumberId: IDS.events });
    const [number] = await listPhoneNumbers(freshContext(), { id: events });
    expect(number).toMatchObject({ customers_in_24_hours: 1 });
    expect(await listLimits(freshContext())).toMatchObject([
      { customers: 1, numbers: 2 },
      { customers: 1, numbers: 2 },
    ]);
  });

  test('a number with a limit of its own counts for itself', async () => {
    await world.control('POST', 'settings', { strict: false });
    await inspectConnection(world.ctx, books);
    await send(CUSTOMER);
    await send(CUSTOMER, { phone_number_id: IDS.booksSupport });
    await send('4915557010124', { phone_number_id: IDS.booksSupport });
    expect(await listPhoneNumbers(freshContext(), { id: books })).toMatchObject([
      { messaging_limit_tier: 'TIER_100K', customers_in_24_hours: 1 },
      { messaging_limit_tier: 'TIER_10K', customers_in_24_hours: 2 },
    ]);
    expect(await listLimits(freshContext())).toMatchObject([
      { name: '+1 212-555-0101', tier: 'TIER_100K', numbers: 1, customers: 1 },
      { name: '+1 212-555-0102', tier: 'TIER_10K', numbers: 1, customers: 2 },
    ]);
  });
});

test('the portfolio is asked for once, not at each check', async () => {
  const asked = async () =>
    (await world.calls()).filter(({ query }) => query['fields'] === 'owner_business_info').length;
  expect(await asked()).toBe(1);
  await inspectConnection(world.ctx, books);
  expect(await asked()).toBe(1);
});

test('counting reads the last 24 hours of its numbers only, whatever the planner believes', async () => {
  const { hot } = world.runtime;
  await hot.query('alter table business_initiated_messages set (autovacuum_enabled = false)');
  const insert = (recent: number, old: number, phone: string) =>
    hot.query(
      `insert into business_initiated_messages
       select $1, $4 || n, $4, '49155' || n % ($2::int / 2),
         now() - case when n <= $2 then interval '1 hour' else interval '30 hours' end
       from generate_series(1, $2 + $3::int) n`,
      [world.workspaceId, recent, old, phone],
    );
  await insert(400, 20_000, IDS.booksOrders);
  await insert(20_000, 0, IDS.booksSupport);
  for (const statistics of ['none', 'fresh']) {
    if (statistics === 'fresh') await hot.query('analyze business_initiated_messages, customer_names');
    let counted = 0;
    const { rows } = await readsOfWork(world.ctx.db.$client, async () => {
      counted = await count(IDS.booksOrders);
    });
    expect(counted).toBe(200);
    expect(rows).toEqual({ business_initiated_messages: 400 });
  }
});

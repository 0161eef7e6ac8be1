// Messages of staff in the phone app, from a sandbox that sends them like the real platform (sandbox/README.md, "Strict").
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkDueConnections } from '#lib/messaging/connections/recheck-connections.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { subscribeNotifications } from '#lib/messaging/connections/subscribe-notifications.ts';
import { findMessage } from '#lib/messaging/sending/find-message.ts';
import { findWindow } from '#lib/messaging/sending/find-window.ts';
import { listenForPlatform } from '#lib/messaging/testing/listen-for-platform.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const CUSTOMER = '4915557010123';
const PHONE = PLATFORM_IDS.booksOrders;

let world: MessagingWorld;
let ctx: MessagingActorContext;
let stopListening: () => void;

beforeAll(async () => {
  world = await startMessagingWorld(
    { MESSAGING_SCOPES: SCOPES.join(' ') },
    { strict: true, notification_batch_ms: 20 },
  );
  const { baseUrl, close } = await listenForPlatform(world.runtime);
  ctx = { ...world.ctx, baseUrl };
  stopListening = close;
});
afterAll(async () => {
  stopListening();
  await world.end();
});
beforeEach(async () => {
  await world.control('POST', 'reset');
  await world.runtime.hot.query(
    'delete from connections; delete from received_changes; delete from events; delete from sent_messages; delete from customer_names',
  );
  const { access_token } = await world.mint({ scopes: SCOPES, expires_in: 'never' });
  const { id } = await createConnection(ctx, {
    name: 'Books',
    access_token,
    business_account_id: PLATFORM_IDS.books,
  });
  await subscribeNotifications(ctx, { id });
});

const write = (customer: string, text: string) =>
  world.control<{ id: string }>('POST', 'echoes', { customer, phone_number_id: PHONE, text });

interface KeptEvent {
  outcome: string;
  reason: string;
  body: Record<string, unknown>;
}

async function listEchoes(): Promise<KeptEvent[]> {
  const { rows } = await world.runtime.hot.query<Omit<KeptEvent, 'body'> & { body: Buffer }>(
    `select outcome, reason, body from events where workflow_id is null order by id`,
  );
  return rows
    .map(({ body, ...row }) => ({ ...row, body: JSON.parse(body.toString()) as Record<string, unknown> }))
    .filter(({ body }) => body['kind'] === 'echo');
}

test('an echo is recorded with customer and number; it opens no window', async () => {
  const { id } = await write(CUSTOMER, 'We are open until six.');
  await expect.poll(listEchoes).toMatchObject([
    {
      outcome: 'recorded',
      reason: 'Your staff wrote to the customer in the phone app.',
      body: {
        kind: 'echo',
        message_id: id,
        recipient: CUSTOMER,
        type: 'text',
        text: 'We are open until six.',
        phone_number_id: PHONE,
        business_account_id: PLATFORM_IDS.books,
      },
    },
  ]);
  expect(await findMessage(ctx, id)).toMatchObject({ recipient: CUSTOMER, phoneNumberId: PHONE, kind: null });
  expect(await findWindow(ctx, { phoneNumberId: PHONE, customer: CUSTOMER })).toBeUndefined();
});

test('of a customer who hides the number it is recorded under their user id, and both are one customer', async () => {
  await write(CUSTOMER, 'One');
  await expect.poll(listEchoes).toHaveLength(1);
  await world.control('POST', 'customer-settings', { customer: CUSTOMER, hides_number: true });
  await write(CUSTOMER, 'Two');
  await expect.poll(listEchoes).toHaveLength(2);
  const { rows } = await world.runtime.hot.query<{ customer_id: string }>(
    'select distinct customer_id from customer_names',
  );
  expect(rows).toHaveLength(1);
});

test('1,000 echoes cause no call of the platform: nothing is checked because of them', async () => {
  await checkDueConnections(ctx);
  const before = await world.calls('');
  for (let first = 0; first < 1000; first += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, place) => write(`49155570${10_000 + first + place}`, 'Hello')),
    );
  await expect.poll(async () => (await listEchoes()).length).toBe(1000);
  expect(await checkDueConnections(ctx)).toBe(0);
  expect(await world.calls('')).toHaveLength(before.length);
});

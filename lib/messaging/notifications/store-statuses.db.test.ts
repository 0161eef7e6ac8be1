// Statuses of which nothing is stored but themselves take one statement; all others are stored as any other change.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHotPool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { markOfMessage } from '#lib/messaging/customers/erased-names.ts';
import { findMessage } from '#lib/messaging/sending/find-message.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { newStatusKey } from '#lib/messaging/sending/signal-keys.ts';
import type { OpenedRuntime } from '#lib/messaging/testing/messaging-world.ts';
import {
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
  status,
} from '#lib/messaging/testing/notifications.ts';
import { countRowsRead } from '#lib/testing/count-rows-read.ts';
import { watchStatements } from '#lib/testing/watch-statements.ts';
import { receiveNotification } from './hook-route.ts';

const receiver = setUpNotifications();
const AT = 1_700_000_000;
const CUSTOMER = '15550001111';
const USER_ID = 'US.abc123';

/** Of a process that has stored nothing before. */
let runtime: OpenedRuntime;
beforeEach(async () => {
  runtime = receiver.world.openRuntime();
  await query('delete from customer_names');
  // So that the connection has received something a moment ago.
  await receiver.deliver(notification(status(newMessageId(), 'sent', AT)));
  await query('delete from events');
});
afterEach(() => runtime.close());

const query = async (text: string, values: unknown[] = []): Promise<object[]> =>
  (await receiver.world.runtime.hot.query<object>(text, values)).rows;

async function send(recipient = CUSTOMER, isOfRun = true): Promise<string> {
  const messageId = newMessageId();
  const taskRun = isOfRun ? { runId: newId(), taskId: 2, iteration: '' } : null;
  const to = { connectionId: receiver.connectionId, phoneNumberId: PHONE, recipient };
  await recordSent(receiver.world.ctx, { messageId, kind: 'text', taskRun, ...to });
  return messageId;
}

/** @returns the number of statements of each delivery */
async function deliver(...bodies: string[]): Promise<number[]> {
  const counts: number[] = [];
  for (const body of bodies) {
    let count = 0;
    await watchStatements(
      runtime.hot,
      async () => {
        const deps = { ...receiver.deps, pool: runtime.hot };
        const { token } = receiver;
        const [rawBody, signature] = [Buffer.from(body), receiver.sign(body)];
        expect(await receiveNotification(deps, { token, rawBody, signature })).toMatchObject({ status: 200 });
      },
      async (_, { text }) => void (count += text.includes('receiver_token') ? 0 : 1),
    );
    counts.push(count);
  }
  return counts;
}

const timelineOf = async (id: string): Promise<string[]> =>
  ((await findMessage(receiver.world.ctx, id))?.timeline ?? []).map(({ status: name }) => name);

test('they are stored by one statement, each once, in any order', async () => {
  await deliver(notification(status(await send(), 'sent', AT)));
  const ids = [await send(), await send('15550001111')];
  const bodies = ['read', 'sent', 'delivered'].map((name, place) =>
    notification(...ids.map((id) => status(id, name, AT + place))),
  );
  expect(await deliver(...bodies, ...bodies)).toEqual([1, 1, 1, 1, 1, 1]);
  for (const id of ids) {
    expect(await findMessage(receiver.world.ctx, id)).toMatchObject({ status: 'read' });
    expect(await timelineOf(id)).toEqual(['read', 'sent', 'delivered', 'accepted']);
  }
  expect(await query('select from events')).toEqual([]);
});

const subscribe = async (): Promise<void> => {
  const workflow_id = await receiver.addWorkflow();
  const wanted = { workflow_id, phone_number_id: null, kinds: ['statuses' as const] };
  await putSubscription(receiver.world.ctx, { id: receiver.connectionId, ...wanted });
};

test.each<[string, { before?: (id: string) => unknown; sent?: Parameters<typeof send>; more?: object }]>([
  ['a workflow is subscribed', { before: subscribe }],
  ['no run sent the message', { sent: [CUSTOMER, false] }],
  ['the customer is unknown', { before: () => query('delete from customer_names') }],
  [
    'the customer was not seen for a while',
    { before: () => query(`update customer_names set seen_at = 'epoch'`) },
  ],
  ['it says another name of the customer', { more: { recipient_user_id: USER_ID } }],
  ['the message was sent to another name', { sent: [USER_ID] }],
  ['a run waits for it', { more: { biz_opaque_callback_data: newStatusKey('delivered') } }],
  ['it is of a member of a group', { more: { recipient_participant_id: '15550002222' } }],
  [
    'the connection got nothing lately',
    { before: () => query('update connections set last_notification_at = null') },
  ],
  [
    'the message was erased',
    {
      before: (id) =>
        query('insert into received_changes (connection_id, change_key) values ($1, $2)', [
          receiver.connectionId,
          markOfMessage(id),
        ]),
    },
  ],
])('it takes more where %s, and the same is stored as by others', async (why, { before, sent, more }) => {
  await send();
  const id = await send(...(sent ?? []));
  await before?.(id);
  const body = notification(status(id, 'delivered', AT, more));
  const [count = 0] = await deliver(body, body);
  expect(count).toBeGreaterThan(1);
  expect(await timelineOf(id)).toEqual(why.endsWith('erased') ? ['accepted'] : ['delivered', 'accepted']);
});

test('a batch with one that takes more is stored as a whole', async () => {
  const ids = [await send(), await send(CUSTOMER, false)];
  const body = notification(...ids.map((id) => status(id, 'read', AT)));
  const counts = await deliver(body, body);
  expect(counts[0]).toBeGreaterThan(2);
  for (const id of ids) expect(await timelineOf(id)).toEqual(['read', 'accepted']);
  expect(await query('select from events')).toHaveLength(1);
});

test('after batches that took more, fewer are tried', async () => {
  const other = await send(CUSTOMER, false);
  await deliver(...[0, 1, 2].map((place) => notification(status(other, 'read', AT + place))));
  const tried = await Promise.all([0, 1, 2].map(async () => notification(status(await send(), 'read', AT))));
  // The second attempt was the third batch, after which two are left out.
  expect((await deliver(...tried)).map((count) => count === 1)).toEqual([false, false, true]);
});

const MANY = 5000;

test('messages are found by key with a plan that was kept from when there were none', async () => {
  const pool = openHotPool(receiver.world.database.url, { maxConnections: 1, name: 'kept-plan' });
  try {
    const receive = async (body: string): Promise<void> => {
      const sent = { token: receiver.token, rawBody: Buffer.from(body), signature: receiver.sign(body) };
      expect(await receiveNotification({ ...receiver.deps, pool }, sent)).toMatchObject({ status: 200 });
    };
    await query('delete from sent_messages');
    await query('vacuum analyze sent_messages');
    await receive(notification(status(newMessageId(), 'sent', AT)));
    await query(
      `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, kind, run_id, status, status_at, timeline)
       select $1, 'wamid.many.' || place, $2, $3, place, 'text', gen_random_uuid(), 'sent', now(), '[]' from generate_series(1, ${MANY}) place`,
      [receiver.world.ctx.workspaceId, receiver.connectionId, PHONE],
    );
    // The first batch of this pool took more, so that the next one is not tried.
    await receive(notification(status(await send(), 'sent', AT)));
    const ids = await Promise.all(Array.from({ length: 10 }, () => send()));
    const before = await countRowsRead(pool, ['sent_messages']);
    await receive(notification(...ids.map((id) => status(id, 'read', AT))));
    expect((await countRowsRead(pool, ['sent_messages'])) - before).toBeLessThan(10 * ids.length);
    expect(
      (
        await pool.query(
          `select from pg_prepared_statements where name = 'store_statuses' and generic_plans > 1`,
        )
      ).rowCount,
    ).toBe(1);
    for (const id of ids) expect(await timelineOf(id)).toEqual(['read', 'accepted']);
  } finally {
    await pool.end();
  }
});

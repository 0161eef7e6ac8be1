// What is stored of customers goes as long after the last message as sent messages do, and not while it is needed.
import { beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { FOR_EVER } from '#lib/identity/workspaces/schema.ts';
import { setRetention } from '#lib/identity/workspaces/retention.ts';
import { setAttributes } from '#lib/messaging/attributes/attributes.ts';
import { getConsent, setConsent } from '#lib/messaging/consent/consents.ts';
import { releaseHold, setHold } from '#lib/messaging/consent/holds.ts';
import { customerKey } from '#lib/messaging/customers/customer-names.ts';
import {
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';
import { untilWaiting } from '#lib/testing/until-waiting.ts';
import { previewRetention } from './read-stored.ts';
import { removeDue, type RemovalOptions } from './remove-due.ts';

const DAY_MS = 86_400_000;
const OLD = '15550001111';
const YOUNG = '15550002222';
const OLD_ID = 'US.1349AAA';

const receiver = setUpNotifications();
beforeEach(() =>
  query(`truncate customer_names, conversation_windows, received_changes, received_messages, signal_waits,
    retention_settings, retention_progress, retention_leftovers, customer_consents, consent_changes, customer_holds,
    customer_attributes, attribute_changes`),
);

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await receiver.world.runtime.hot.query<Row>(text, values)).rows;

/** A message of a customer of some days ago. */
const write = (message: object, daysAgo = 0) =>
  receiver.deliver(
    notification({
      messages: [
        {
          id: newMessageId(),
          timestamp: String(Math.floor((Date.now() - daysAgo * DAY_MS) / 1000)),
          type: 'text',
          text: { body: 'Hi' },
          ...message,
        },
      ],
    }),
  );

/** As if these names had been reported some days ago for the last time, and been learned long before. */
const ageNames = (daysAgo: number, names: readonly string[]) =>
  query(
    `update customer_names set seen_at = now() - make_interval(days => $1), learned_at = now() - interval '9 years'
     where name = any($2)`,
    [daysAgo, names],
  );

const keep = (messages_days: number | null) =>
  setRetention(receiver.world.ctx, { ...FOR_EVER, messages_days });

/** Until nothing is due. */
async function removeAll(options: Partial<RemovalOptions> = {}): Promise<void> {
  while (await removeDue({ pool: receiver.world.runtime.hot, ...options }));
}

const names = async (): Promise<string[]> =>
  (await query<{ name: string }>('select name from customer_names order by name')).map(({ name }) => name);

const windows = async (): Promise<string[]> =>
  (await query<{ customer: string }>('select customer from conversation_windows order by customer')).map(
    ({ customer }) => customer,
  );

const openWait = async (name: string): Promise<string> => {
  const id = newId();
  await query(
    `insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
     values ($1, $2, $3, $1, 2, '', 'any', 0, now(), true)`,
    [id, receiver.world.workspaceId, customerKey(PHONE, name)],
  );
  return id;
};

test('windows and names go by the last message and the last report, and stay where everything is kept', async () => {
  await write({ from: OLD, from_user_id: OLD_ID }, 40);
  await write({ from: YOUNG }, 20);
  await ageNames(40, [OLD, OLD_ID]);
  await ageNames(20, [YOUNG]);
  await keep(null);
  await removeAll();
  expect(await names()).toEqual([OLD, YOUNG, OLD_ID]);
  expect(await windows()).toHaveLength(2);
  const due = await previewRetention(receiver.world.ctx, { ...FOR_EVER, messages_days: 30 });
  expect(due.filter(({ rows }) => rows > 0).map(({ kind, rows }) => [kind, rows])).toEqual([
    ['windows', 1],
    ['names', 2],
  ]);
  await keep(30);
  await removeAll({ rowsAtOnce: 1 });
  expect(await names()).toEqual([YOUNG]);
  expect(await windows()).toEqual([YOUNG]);
});

test('that customers wrote goes as sent messages do, in batches, and not what other workspaces got', async () => {
  for (let count = 0; count < 5; count += 1) await write({ from: OLD });
  await query(`update received_messages set received_at = now() - interval '40 days'`);
  await write({ from: OLD });
  const stranger = newId();
  await query(
    `insert into received_messages (workspace_id, message_id, event_id, customer, phone_number_id, type, received_at)
     values ($1, 'wamid.s', $1, $2, $3, 'text', now() - interval '40 days')`,
    [stranger, OLD, PHONE],
  );
  const left = async () =>
    (
      await query<{ rows: number }>(
        'select count(*)::int as rows from received_messages group by workspace_id = $1 order by workspace_id = $1',
        [stranger],
      )
    ).map(({ rows }) => rows);
  const due = await previewRetention(receiver.world.ctx, { ...FOR_EVER, messages_days: 30 });
  expect(due.find(({ kind }) => kind === 'received')?.rows).toBe(5);
  await keep(30);
  await removeAll({ rowsAtOnce: 2 });
  expect(await left()).toEqual([1, 1]);
});

test('a customer who wrote again stays, however long ago they were learned', async () => {
  await write({ from: OLD, from_user_id: OLD_ID }, 40);
  await ageNames(40, [OLD, OLD_ID]);
  await write({ from_user_id: OLD_ID });
  await keep(30);
  await removeAll();
  expect(await names()).toEqual([OLD, OLD_ID]);
});

test('names for which a run waits stay until it no longer does, all of the customer', async () => {
  await write({ from: OLD, from_user_id: OLD_ID }, 40);
  await write({ from: YOUNG }, 40);
  await ageNames(40, [OLD, OLD_ID, YOUNG]);
  const waitId = await openWait(OLD);
  await keep(30);
  await removeAll();
  expect(await names()).toEqual([OLD, OLD_ID]);
  await query('update signal_waits set is_open = false where id = $1', [waitId]);
  await removeAll({ now: new Date(Date.now() + 31 * DAY_MS) });
  expect(await names()).toEqual([]);
});

test('names of a customer who stopped messages, or is on hold, stay together, so that both count for all of them', async () => {
  await write({ from: OLD }, 40);
  await write({ from: YOUNG }, 40);
  const { ctx } = receiver.world;
  await setConsent(ctx, { id: OLD, purpose: 'marketing', state: 'stopped', source: 'api' });
  await setHold(ctx, { id: YOUNG, hours: null, reason: '' });
  await write({ from: OLD, from_user_id: OLD_ID }, 40);
  await ageNames(40, [OLD, OLD_ID, YOUNG]);
  await keep(30);
  await removeAll();
  expect(await names()).toEqual([OLD, YOUNG, OLD_ID]);
  await releaseHold(ctx, { id: YOUNG });
  await setConsent(ctx, { id: OLD_ID, purpose: 'marketing', state: 'given', source: 'api' });
  await removeAll({ now: new Date(Date.now() + 31 * DAY_MS) });
  expect(await names()).toEqual([]);
  expect((await getConsent(ctx, { id: OLD })).history).toHaveLength(2);
});

test('a window that a late notification opens is removed, too', async () => {
  await keep(1);
  await removeAll();
  await write({ from: OLD }, 5);
  expect(await windows()).toEqual([OLD]);
  await removeAll({ now: new Date(Date.now() + 2 * 3_600_000) });
  expect(await windows()).toEqual([]);
});

test('a customer who writes while a batch is about to delete their rows keeps them', async () => {
  await write({ from: OLD }, 40);
  await ageNames(40, [OLD]);
  await keep(30);
  const client = await receiver.world.runtime.hot.connect();
  await client.query('begin');
  await client.query('update conversation_windows set last_message_at = now()');
  await client.query('update customer_names set seen_at = now()');
  const removed = removeAll();
  await untilWaiting(receiver.world.runtime.hot);
  await client.query('commit');
  client.release();
  await removed;
  expect(await windows()).toEqual([OLD]);
  expect(await names()).toEqual([OLD]);
});

test('killed after any batch, the next pass finishes; other workspaces keep theirs', async () => {
  const stranger = newId();
  for (const workspaceId of [receiver.world.workspaceId, stranger]) {
    await query(
      `insert into conversation_windows (workspace_id, phone_number_id, customer, last_message_at, last_message_id)
       select $1, $2, n::text, now() - make_interval(days => n), 'wamid.' || n from generate_series(1, 20) n`,
      [workspaceId, PHONE],
    );
    await query(
      `insert into customer_names (workspace_id, name, customer_id, business_account_id, seen_at)
       select $1, n::text, gen_random_uuid(), '1', now() - make_interval(days => n) from generate_series(1, 20) n`,
      [workspaceId],
    );
  }
  await keep(10);
  let kills = 0;
  for (let isMore = true; isMore;) {
    let batches = 0;
    const afterBatch = (): void => {
      batches += 1;
      if (batches === 2) throw new Error('killed');
    };
    isMore = await removeDue({ pool: receiver.world.runtime.hot, rowsAtOnce: 3, afterBatch }).catch(() => {
      kills += 1;
      return true;
    });
  }
  expect(kills).toBeGreaterThan(5);
  const left = async (table: string) =>
    query(
      `select workspace_id = $1 as is_own, count(*)::int as rows from ${table} group by 1 order by 1 desc`,
      [receiver.world.workspaceId],
    );
  for (const table of ['conversation_windows', 'customer_names'])
    expect(await left(table)).toEqual([
      { is_own: true, rows: 9 },
      { is_own: false, rows: 20 },
    ]);
});

test('what is remembered of customers goes with their names, and its log as messages do', async () => {
  await write({ from: OLD }, 40);
  await write({ from: YOUNG });
  const { ctx } = receiver.world;
  for (const id of [OLD, YOUNG])
    await setAttributes(ctx, { id, attributes: [{ name: 'city', type: 'text', value: 'Rome' }] });
  await ageNames(40, [OLD]);
  await query(`update attribute_changes set at = now() - interval '40 days'`);
  await setAttributes(ctx, { id: YOUNG, attributes: [{ name: 'city', type: 'text', value: 'Oslo' }] });
  await query(
    `insert into attribute_changes (workspace_id, name, attribute, type, value, at, evidence)
    select workspace_id, name, 'second', type, value, now(), evidence from attribute_changes where name = $1`,
    [OLD],
  );
  await keep(30);
  await removeAll({ rowsAtOnce: 1 });
  const left = (table: string) => query(`select name, value from ${table} order by name, value`);
  expect(await left('customer_attributes')).toEqual([{ name: YOUNG, value: 'Oslo' }]);
  expect(await left('attribute_changes')).toEqual([{ name: YOUNG, value: 'Oslo' }]);
});

test('the words of what customers wrote go with the bodies of their events', async () => {
  await query('truncate received_words');
  await write({ from: OLD, text: { body: 'Good morning' }, type: 'text' });
  const words = async () => (await query('select from received_words')).length;
  expect(await words()).toBe(1);
  await setRetention(receiver.world.ctx, { ...FOR_EVER, bodies_days: 30 });
  await removeAll();
  expect(await words()).toBe(1);
  await removeAll({ now: new Date(Date.now() + 31 * DAY_MS) });
  expect(await words()).toBe(0);
});

// Notifications that arrive at the same time are stored together; what is stored is the same as if they came one by one.
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { getReceiver } from '#lib/messaging/connections/receivers.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import {
  message,
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
  status,
} from '#lib/messaging/testing/notifications.ts';
import { untilWaiting } from '#lib/testing/until-waiting.ts';
import { watchStatements } from '#lib/testing/watch-statements.ts';
import { answerHook, receiveNotification } from './hook-route.ts';
import { BUSY, RECEIVED } from './receiver-answers.ts';

const receiver = setUpNotifications();
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await receiver.world.runtime.hot.query<Row>(text, values)).rows;
const empty = () =>
  query(`with c as (delete from received_changes), s as (delete from sent_messages), w as (delete from conversation_windows),
    n as (delete from customer_names) delete from events`);
beforeEach(empty);

const AT = 1_700_000_000;
const CUSTOMER = '15550002000';
const written = (from: string, at = AT): string => notification(message(newMessageId(), from, at));

test('they are committed together, each change once, and each is answered', async () => {
  const bodies = Array.from({ length: 30 }, (_, place) => written(`1555000${2000 + place}`));
  await receiver.deliver(written(CUSTOMER));
  const answers = await Promise.all([...bodies, ...bodies].map((body) => receiver.deliver(body)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  const [stored] = await query<{ changes: number; transactions: number }>(
    'select count(*)::int as changes, count(distinct xmin::text)::int as transactions from received_changes',
  );
  expect(stored?.changes).toBe(31);
  expect(stored?.transactions).toBeLessThan(10);
  expect(await query('select id from events')).toHaveLength(31);
});

test('one that cannot be stored refuses none of its neighbours, and is stored when it comes again', async () => {
  await receiver.deliver(written(CUSTOMER));
  const bad = '15550006666';
  const bodies = ['15550002001', bad, '15550002002'].map((from) => written(from));
  const windows = () => query('select customer from conversation_windows order by customer');
  await query(`alter table conversation_windows add constraint planted check (customer <> '${bad}')`);
  try {
    const settled = await Promise.allSettled(bodies.map((body) => receiver.deliver(body)));
    expect(settled.map(({ status: outcome }) => outcome)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await windows()).toEqual([
      { customer: CUSTOMER },
      { customer: '15550002001' },
      { customer: '15550002002' },
    ]);
  } finally {
    await query('alter table conversation_windows drop constraint planted');
  }
  expect((await receiver.deliver(bodies[1] ?? '')).status).toBe(200);
  expect(await windows()).toContainEqual({ customer: bad });
});

test('one that waited too long is refused, nothing of it is stored, and it is stored when it comes again', async () => {
  await receiver.deliver(written(CUSTOMER));
  const [first, late] = [written('15550002001'), written('15550002002')];
  const post = (body: string) =>
    answerHook(receiver.deps, {
      token: receiver.token,
      method: 'POST',
      query: new URLSearchParams(),
      signature: receiver.sign(body),
      readBody: async () => Buffer.from(body),
    });
  const customers = async () =>
    (await query<{ customer: string }>('select customer from conversation_windows order by customer')).map(
      (row) => row.customer,
    );
  const holder = await receiver.world.runtime.hot.connect();
  await holder.query('begin; lock table received_changes in access exclusive mode');
  const answers = [post(first)];
  await untilWaiting(receiver.world.runtime.hot);
  answers.push(post(late));
  await new Promise(setImmediate);
  const past = performance.now() + 10_001;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => past);
  onTestFinished(() => now.mockRestore());
  await holder.query('commit');
  holder.release();
  expect(await Promise.all(answers)).toEqual([RECEIVED, BUSY]);
  expect(await customers()).toEqual([CUSTOMER, '15550002001']);
  expect(await post(late)).toEqual(RECEIVED);
  expect(await customers()).toEqual([CUSTOMER, '15550002001', '15550002002']);
});

test('a notification of a thousand changes takes a few statements', async () => {
  const workflowId = await receiver.addWorkflow();
  await putSubscription(receiver.world.ctx, {
    id: receiver.connectionId,
    workflow_id: workflowId,
    kinds: ['messages'],
    phone_number_id: null,
  });
  const changes = Array.from({ length: 500 }, (_, place) => [
    message(newMessageId(), `1555000${3000 + place}`, AT),
    status(newMessageId(), 'delivered', AT, { recipient_id: `1555000${3000 + place}` }),
  ]).flat();
  const texts: string[] = [];
  await watchStatements(
    receiver.world.runtime.hot,
    async () => expect((await receiver.deliver(notification(...changes))).status).toBe(200),
    async (_, { text }) => void texts.push(text),
  );
  expect(texts.length).toBeLessThan(20);
  expect(await receiver.eventsOf(workflowId)).toHaveLength(500);
});

describe('the receiver of a removed connection', () => {
  const addReceiver = async () => {
    const { id } = await receiver.world.connect({ accountId: null, name: 'Another' });
    const token = (await getReceiver(receiver.world.ctx, { id })).url.split('/').at(-1) ?? '';
    const post = (body: string, signature = receiver.sign(body)) =>
      receiveNotification(receiver.deps, { token, rawBody: Buffer.from(body), signature });
    return { post, remove: () => query('delete from connections where id = $1', [id]) };
  };

  test('is unknown to the next request, although it was known to the one before', async () => {
    const { post, remove } = await addReceiver();
    expect((await post(written(CUSTOMER))).status).toBe(200);
    await remove();
    await empty();
    for (const time of [1, 2]) expect([time, (await post(written(CUSTOMER))).status]).toEqual([time, 404]);
    for (const table of ['received_changes', 'events', 'conversation_windows', 'customer_names'])
      expect([table, await query(`select from ${table}`)]).toEqual([table, []]);
  });

  test('is unknown to one with a wrong signature, too', async () => {
    const { post, remove } = await addReceiver();
    expect((await post('{}', 'sha256=00')).status).toBe(403);
    await remove();
    expect((await post('{}', 'sha256=00')).status).toBe(404);
  });

  test('does not refuse what arrives with it for others', async () => {
    const { post, remove } = await addReceiver();
    await post(written(CUSTOMER));
    await remove();
    const answers = await Promise.all([post(written(CUSTOMER)), receiver.deliver(written(CUSTOMER))]);
    expect(answers.map((answer) => answer.status)).toEqual([404, 200]);
  });
});

describe('in any order and any number of notifications', () => {
  const customers = [0, 1, 2, 3].map((place) => ({ number: `1555100000${place}`, userId: `US.${place}abc` }));
  const names = fc.constantFrom('number' as const, 'userId' as const, 'both' as const);
  const customerOf = (place: number) => customers[place] ?? { number: '', userId: '' };
  const sender = (place: number, known: 'number' | 'userId' | 'both') => ({
    ...(known === 'userId' ? {} : { from: customerOf(place).number }),
    ...(known === 'number' ? {} : { from_user_id: customerOf(place).userId }),
  });
  const place = fc.nat({ max: 3 });
  const messages = fc.record({
    kind: fc.constant('message' as const),
    place,
    known: names,
    reply: fc.nat({ max: 3 }),
  });
  const statuses = fc.record({
    kind: fc.constant('status' as const),
    place,
    known: fc.boolean(),
    of: fc.nat({ max: 3 }),
    name: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
  });
  /** Message `of` was sent to the customer at that place, by number. */
  const toValue = (
    each: typeof messages extends fc.Arbitrary<infer A> ? A : never,
    index: number,
  ): object => ({
    messages: [
      {
        id: `wamid.m${index}`,
        timestamp: String(AT + index),
        type: 'text',
        text: { body: `Text ${index}` },
        ...sender(each.place, each.known),
        ...(each.reply === each.place ? { context: { id: `wamid.s${each.place}` } } : {}),
      },
    ],
  });
  const toStatus = (each: typeof statuses extends fc.Arbitrary<infer A> ? A : never, index: number): object =>
    status(`wamid.s${each.of}`, each.name, AT + index, {
      recipient_id: customerOf(each.of).number,
      ...(each.known ? { recipient_user_id: customerOf(each.of).userId } : {}),
      ...(each.name === 'failed' ? { errors: [{ code: 131_026 }] } : {}),
    });

  const state = async () => ({
    sent: await query(`select message_id, recipient, status, errors::text,
        (select jsonb_agg(step order by step ->> 'status', step ->> 'at') from jsonb_array_elements(timeline::jsonb) step) as timeline
      from sent_messages order by message_id`),
    windows: await query(
      'select customer, last_message_at, last_message_id from conversation_windows order by customer',
    ),
    customers: await query(
      'select array_agg(name order by name) as names from customer_names group by customer_id order by 1',
    ),
    events: await query(
      `select outcome, reason, convert_from(body, 'UTF8') as body, workflow_id from events order by 3, 4`,
    ),
    keys: await query('select change_key from received_changes order by 1'),
  });

  test('the same is stored as one by one', async () => {
    const workflowId = await receiver.addWorkflow();
    await putSubscription(receiver.world.ctx, {
      id: receiver.connectionId,
      workflow_id: workflowId,
      kinds: ['messages'],
      phone_number_id: PHONE,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(messages, statuses), { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        async (changes, picks) => {
          // A status of a message comes once.
          const first = changes.filter(
            (each, index) =>
              each.kind === 'message' ||
              changes.findIndex(
                (other) => other.kind === 'status' && other.of === each.of && other.name === each.name,
              ) === index,
          );
          const values = first.map((each, index) =>
            each.kind === 'message' ? toValue(each, index) : toStatus(each, index),
          );
          await empty();
          // Which names are one customer's is known before, so that the order decides nothing.
          const pairs = notification(
            ...customers.map(({ number, userId }, index) => ({
              messages: [
                {
                  id: `wamid.k${index}`,
                  timestamp: String(AT - 100),
                  type: 'text',
                  from: number,
                  from_user_id: userId,
                },
              ],
            })),
          );
          await receiver.deliver(pairs);
          for (const value of values) await receiver.deliver(notification(value));
          const oneByOne = await state();
          await empty();
          await receiver.deliver(pairs);
          const parts = Map.groupBy(values, () => (picks.next().value ?? 0) % 3);
          const bodies = [...parts.values()].map((part) =>
            notification(...part.toSorted(() => ((picks.next().value ?? 0) % 2 ? 1 : -1))),
          );
          const answers = await Promise.all([...bodies, ...bodies].map((body) => receiver.deliver(body)));
          expect(answers.every((answer) => answer.status === 200)).toBe(true);
          expect(await state()).toEqual(oneByOne);
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  test('customers of whom nothing is known are one under the names that belong together', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ place, known: names }), { minLength: 1, maxLength: 10 }),
        async (writers) => {
          await empty();
          const bodies = writers.map((each, index) =>
            notification(toValue({ kind: 'message', reply: 9, ...each }, index)),
          );
          await Promise.all(bodies.map((body) => receiver.deliver(body)));
          const found = await query<{ names: string[] }>(
            'select array_agg(name order by name) as names from customer_names group by customer_id order by 1',
          );
          const expected = customers.flatMap(({ number, userId }, index) => {
            const own = writers.filter((each) => each.place === index).map(({ known }) => known);
            const has = (name: 'number' | 'userId') =>
              own.some((known) => known === name || known === 'both');
            if (own.includes('both')) return [{ names: [number, userId] }];
            return [
              ...(has('number') ? [{ names: [number] }] : []),
              ...(has('userId') ? [{ names: [userId] }] : []),
            ];
          });
          const byName = (a: { names: string[] }, b: { names: string[] }) =>
            (a.names[0] ?? '') < (b.names[0] ?? '') ? -1 : 1;
          expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});

// Customers, as they are found, and what was said with them: from the platform's notifications and the sends of runs.
import { beforeEach, describe, expect, test } from 'vitest';
import { lowestIdAt, newId } from '#lib/core/ids.ts';
import { learnAlias } from '#lib/messaging/customers/customer-names.ts';
import { getConsent } from '#lib/messaging/consent/consents.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import {
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { eventFilterSchema, readEvent, readEvents } from './read-events.ts';
import { type CustomerReader, readMessage } from './read-message.ts';
import { readRuns, runFilterSchema } from './read-runs.ts';
import { readCustomer, readCustomerPage, readCustomers, readTimeline } from './read-customers.ts';

const NUMBER = '491711234567';
const OTHER = '491719994567';
const USER_ID = 'US.1349AAAA1234';
const DAY_MS = 86_400_000;

const receiver = setUpNotifications();
beforeEach(() =>
  query(
    'truncate customer_names, joined_customers, received_words, customer_attributes, attribute_changes, conversation_windows, received_changes, received_messages, sent_messages, signal_waits, runs',
  ),
);

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await receiver.world.runtime.hot.query<Row>(text, values)).rows;

const editor = (): CustomerReader => ({ ...receiver.world.ctx, role: 'editor', masksNumbers: true });
const viewer = (): CustomerReader => ({ ...editor(), role: 'viewer' });

interface Written {
  from?: string;
  userId?: string;
  name?: string;
  text?: string;
}

/** A message of a customer. @returns its id */
async function write({ from, userId, name, text = 'Hi' }: Written): Promise<string> {
  const id = newMessageId();
  await receiver.deliver(
    notification({
      contacts: [{ wa_id: from, user_id: userId, profile: { name } }],
      messages: [
        {
          id,
          from,
          from_user_id: userId,
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: 'text',
          text: { body: text },
        },
      ],
    }),
  );
  return id;
}

/** A message to a customer. @returns its id */
async function send(recipient: string, runId?: string, more: { isByPerson?: boolean } = {}): Promise<string> {
  const messageId = newMessageId();
  await recordSent(receiver.world.ctx, {
    messageId,
    connectionId: receiver.connectionId,
    phoneNumberId: PHONE,
    recipient,
    kind: 'template',
    templateName: 'order_ready',
    taskRun: runId === undefined ? null : { runId, taskId: 2, iteration: '' },
    ...more,
  });
  return messageId;
}

const report = (id: string, status: string, more: object = {}) =>
  receiver.deliver(
    notification({
      statuses: [
        { id, status, timestamp: String(Math.floor(Date.now() / 1000)), recipient_id: NUMBER, ...more },
      ],
    }),
  );

const find = async (search: string, reader = editor()) =>
  (await readCustomers(reader, { search, limit: 25 }, { isList: false })).data;

const findNumbers = async (search: string, reader = editor()): Promise<string[][]> =>
  (await find(search, reader)).map(({ numbers }) => numbers);

/** The only customer. */
async function customerId(reader = editor()): Promise<string> {
  const { data } = await readCustomers(reader, { limit: 25 }, { isList: false });
  expect(data).toHaveLength(1);
  return data[0]?.id ?? '';
}

const start = async (workflowId: string): Promise<string> => {
  const id = newId();
  await query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at)
     values ($1, $2, $3, 1, $4, 'succeeded', now())`,
    [id, receiver.world.workspaceId, workflowId, newId()],
  );
  return id;
};

describe('a search', () => {
  beforeEach(async () => {
    await write({ from: NUMBER, userId: USER_ID, name: 'Anna Müller' });
    await write({ from: OTHER, name: 'Kim' });
    await send('15550001111');
  });

  test.each([
    '+49 171 1234567',
    '0049171/1234567',
    '+49 (0)171 123-45-67',
    '0171 1234567',
    '(0171) 1234567',
    '491711',
    '1234567',
    USER_ID,
    'anna',
    'MÜLL',
    ' Anna Müller ',
  ])('for "%s" finds the customer', async (text) => {
    expect(await findNumbers(text)).toEqual([[NUMBER]]);
  });

  test('finds all that match, and those who never wrote', async () => {
    expect((await findNumbers('4567')).flat().toSorted()).toEqual([NUMBER, OTHER]);
    expect((await findNumbers('+49 17')).flat().toSorted()).toEqual([NUMBER, OTHER]);
    expect(await findNumbers('1 555 000 1111')).toEqual([['15550001111']]);
    for (const text of ['49171123456789', 'nobody', '%', '\0', USER_ID.slice(0, -1), '_'])
      expect(await find(text), text).toEqual([]);
  });

  test('finds whom a message was from or to by its id', async () => {
    const from = await write({ from: NUMBER });
    const to = await send(OTHER);
    expect(await findNumbers(from)).toEqual([[NUMBER]]);
    expect(await findNumbers(to)).toEqual([[OTHER]]);
    expect(await find('wamid.unknown')).toEqual([]);
  });

  test('finds nothing of another workspace', async () => {
    const other = { ...editor(), workspaceId: newId() };
    for (const text of ['', NUMBER, '4567', USER_ID, 'anna'])
      expect(await find(text, other), text).toEqual([]);
    await expect(readCustomer(other, (await find(NUMBER))[0]?.id ?? '')).rejects.toThrow('does not exist');
  });

  test('of viewers finds the last four digits only, of numbers and of what customers call themselves', async () => {
    await write({ from: '15550002222', name: 'Call 00491760008888' });
    const masked = [['••••4567'], ['••••4567']];
    expect(await findNumbers('4567', viewer())).toEqual(masked);
    // As with the last four: what precedes them is not compared.
    expect(await findNumbers('+49 171 1234567', viewer())).toEqual(masked);
    expect(await findNumbers('+1 999 999 4567', viewer())).toEqual(masked);
    for (const text of [
      '4917',
      '49171',
      '0017',
      '1760',
      '0049176',
      'call 00491760',
      'call 0049',
      USER_ID,
      '123',
    ])
      expect(await find(text, viewer()), text).toEqual([]);
    expect(await find('call', viewer())).toMatchObject([{ profile_name: 'Call ••••8888' }]);
    expect(await findNumbers('Anna', viewer())).toEqual([['••••4567']]);
    expect(await findNumbers('call 0049')).toEqual([['15550002222']]);
  });

  test('shows masked numbers in the list, and all of them on the customer’s page to editors', async () => {
    const { data } = await readCustomers(editor(), { search: 'anna', limit: 25 }, { isList: true });
    expect(data).toMatchObject([{ numbers: ['••••4567'], user_ids: ['US.••••1234'] }]);
    const id = data[0]?.id ?? '';
    expect(await readCustomer(editor(), id)).toMatchObject({ numbers: [NUMBER], user_ids: [USER_ID] });
    expect(await readCustomer(viewer(), id)).toMatchObject({ numbers: ['••••4567'] });
    for (const name of [NUMBER, `+${NUMBER}`, USER_ID])
      expect(await readCustomer(editor(), name)).toMatchObject({ id });
    await expect(readCustomer(editor(), '15550999999')).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('a search for a name goes through all customers, page by page, each once', async () => {
  await query(
    `insert into customer_names (workspace_id, name, customer_id, business_account_id, profile_name, seen_at)
     select $1, (49170000000 + n)::text, gen_random_uuid(), '', case when n % 3 = 0 then 'Anna' when n % 3 = 1 then 'Dr. Anna' end,
       now() - make_interval(mins => n / 50) from generate_series(1, 2400) n`,
    [receiver.world.workspaceId],
  );
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await readCustomers(editor(), { search: 'anna', limit: 100, cursor }, { isList: false });
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toHaveLength(1600);
  expect(new Set(seen).size).toBe(1600);
});

test('the list is by the last activity, page by page, with one row for all names of a customer', async () => {
  await query(
    `insert into customer_names (workspace_id, name, customer_id, business_account_id, seen_at)
     select $1, kind || n, md5(n::text)::uuid, '', now() - make_interval(mins => n / 7)
     from generate_series(10, 69) n cross join (values ('4917000000'), ('DE.a')) as names(kind)`,
    [receiver.world.workspaceId],
  );
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await readCustomers(editor(), { limit: 25, cursor }, { isList: false });
    pages.push(page.data.map(({ numbers }) => numbers[0] ?? ''));
    expect(page.data.every(({ user_ids: ids }) => ids.length === 1)).toBe(true);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const minute = (number: string): number => Math.floor(Number(number.slice(-2)) / 7);
  const all = pages.flat();
  expect(all.map(minute)).toEqual(all.map(minute).toSorted((a, b) => a - b));
  expect(new Set(all).size).toBe(60);
  expect(pages[0]).toHaveLength(25);
});

test('the timeline has both directions under all names of the customer, newest first, page by page', async () => {
  const workflowId = await receiver.addWorkflow();
  const runId = await start(workflowId);
  const ids = [
    await send(NUMBER, runId),
    await write({ from: NUMBER, name: 'Anna', text: 'To the number' }),
    await write({ userId: USER_ID, text: 'From the user id' }),
  ];
  // The platform says that they are one.
  ids.push(await write({ from: NUMBER, userId: USER_ID, text: 'Both' }), await send(USER_ID));
  await send(OTHER);
  const id = (await find(NUMBER))[0]?.id ?? '';
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await readTimeline(editor(), { id, limit: 2, cursor });
    seen.push(...page.data.map((message) => message.id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(ids.toReversed());
  const { data } = await readTimeline(editor(), { id, limit: 25 });
  expect(data.map(({ direction, kind, text, template }) => [direction, kind, text, template])).toEqual([
    ['sent', 'template', null, 'order_ready'],
    ['received', 'text', 'Both', null],
    ['received', 'text', 'From the user id', null],
    ['received', 'text', 'To the number', null],
    ['sent', 'template', null, 'order_ready'],
  ]);
  expect(data[4]?.runs).toMatchObject([{ run_id: runId, workflow_id: workflowId, version: 1 }]);
  expect((await readCustomer(editor(), id)).windows).toMatchObject([
    { phone_number_id: PHONE, state: 'open' },
  ]);
});

test('statuses are in words, and a viewer sees no number in any of it', async () => {
  await write({ from: NUMBER, text: `Call ${OTHER}` });
  const sent = await send(NUMBER);
  await report(sent, 'sent');
  await report(sent, 'failed', { errors: [{ code: 131026, title: `No ${NUMBER}` }] });
  const id = await customerId();
  const [failed] = (await readTimeline(editor(), { id, limit: 25 })).data;
  expect(failed?.status).toBe('failed');
  expect(failed?.problem).toContain('131026');
  expect(failed?.statuses.map(({ status }) => status)).toEqual(['accepted', 'sent', 'failed']);
  const shown = JSON.stringify([
    await readTimeline(viewer(), { id, limit: 25 }),
    await readCustomer(viewer(), id),
    await readMessage(viewer(), sent),
  ]);
  expect(shown).toContain('••••4567');
  for (const number of [NUMBER, OTHER]) expect(shown).not.toContain(number);
});

test('the runs list finds a customer’s runs, with its other filters', async () => {
  const workflowId = await receiver.addWorkflow();
  const runs = [await start(workflowId), await start(workflowId), await start(workflowId)];
  for (const runId of [runs[2], runs[0], runs[0], runs[2]]) await send(NUMBER, runId);
  await send(OTHER, runs[1]);
  const id = (await find(NUMBER))[0]?.id ?? '';
  const { ctx } = receiver.world;
  const listed = async (more: object = {}) =>
    (await listRuns(ctx, { limit: 25, customer: id, ...more })).data.map((run) => run.id);
  expect(await listed()).toEqual([runs[2], runs[0]]);
  const first = await listRuns(ctx, { limit: 1, customer: id });
  expect(first.data.map((run) => run.id)).toEqual([runs[2]]);
  expect(await listed({ cursor: first.next_cursor })).toEqual([runs[0]]);
  expect(await listed({ workflow_id: workflowId, status: 'succeeded' })).toEqual([runs[2], runs[0]]);
  expect(await listed({ status: 'failed' })).toEqual([]);
  expect(await listed({ workflow_id: newId() })).toEqual([]);
  expect(await listed({ customer: newId() })).toEqual([]);
});

test('a run is about whose message it took, else about the only one whom it sent something', async () => {
  const workflowId = await receiver.addWorkflow();
  const [one, several, nobody] = [await start(workflowId), await start(workflowId), await start(workflowId)];
  await write({ from: NUMBER, name: 'Kim' });
  for (const to of [NUMBER, NUMBER]) await send(to, one);
  for (const to of [NUMBER, OTHER]) await send(to, several);
  await send('15550001111', nobody);
  await query(`update customer_names set learned_at = now() + interval '3 days' where name = '15550001111'`);
  const id = (await find(NUMBER))[0]?.id ?? '';
  const customer = { id, numbers: [NUMBER], user_ids: [], profile_name: 'Kim' };
  const listed = async () =>
    new Map((await listRuns(receiver.world.ctx, { limit: 25 })).data.map((run) => [run.id, run.customer]));
  expect(await listed()).toEqual(
    new Map([
      [nobody, null],
      [several, null],
      [one, customer],
    ]),
  );
  await query('update received_messages set run_id = $1', [several]);
  expect((await listed()).get(several)).toEqual(customer);
  const { data } = await readRuns(editor(), runFilterSchema.parse({}));
  expect(data.map((run) => run.customer?.numbers)).toEqual([undefined, ['••••4567'], ['••••4567']]);
});

test('a message that starts two workflows is one message with both runs, and both runs are the customer’s', async () => {
  for (const workflowId of [await receiver.addWorkflow(), await receiver.addWorkflow()])
    await putSubscription(receiver.world.ctx, {
      id: receiver.connectionId,
      workflow_id: workflowId,
      kinds: ['messages'],
      phone_number_id: null,
    });
  const messageId = await write({ from: NUMBER, text: 'Start' });
  const id = await customerId();
  const { data } = await readTimeline(editor(), { id, limit: 25 });
  expect(data).toMatchObject([
    { id: messageId, text: 'Start', event_ids: [expect.any(String), expect.any(String)], runs: [{}, {}] },
  ]);
  const listed = await listRuns(receiver.world.ctx, { limit: 25, customer: id });
  expect(listed.data.map((run) => run.id).toSorted()).toEqual(
    data[0]?.runs.map((run) => run.run_id).toSorted(),
  );
});

test('the timeline marks what a person wrote', async () => {
  await send(NUMBER);
  await send(NUMBER, undefined, { isByPerson: true });
  await write({ from: NUMBER });
  const { data } = await readTimeline(editor(), { id: await customerId(), limit: 25 });
  expect(data.map(({ by_person: isByPerson }) => isByPerson).toSorted()).toEqual([false, false, true]);
});

test('the messages to an earlier owner of a number are not the customer’s', async () => {
  await send(NUMBER);
  await query(`update sent_messages set created_at = now() - interval '40 days'; delete from customer_names`);
  const own = await write({ from: NUMBER });
  const { data } = await readTimeline(editor(), { id: await customerId(), limit: 25 });
  expect(data.map(({ id }) => id)).toEqual([own]);
});

test('a message shows what led to it, and what its event still has', async () => {
  const runId = await start(await receiver.addWorkflow());
  const sent = await send(NUMBER, runId);
  const received = await write({ from: NUMBER, text: 'Hello' });
  expect(await readMessage(editor(), sent)).toMatchObject({
    direction: 'sent',
    customer: NUMBER,
    task: { task_id: 2, iteration: [] },
    runs: [{ run_id: runId, version: 1 }],
    customer_id: await customerId(),
  });
  expect(await readMessage(editor(), received)).toMatchObject({
    text: 'Hello',
    events: [{ outcome: 'not_forwarded' }],
  });
  await query('update events set body = null, body_removed_at = now()');
  expect(await readMessage(editor(), received)).toMatchObject({ kind: 'text', text: null });
  await query('delete from events');
  expect(await readMessage(editor(), received)).toMatchObject({ text: null, events: [] });
  await expect(readMessage(editor(), 'wamid.none')).rejects.toThrow('No message has this id');
});

test('nothing is written for a customer who was seen in the last hour', async () => {
  await send(NUMBER);
  const version = () => query('select xmin, ctid, seen_at from customer_names');
  const before = await version();
  await send(NUMBER);
  await write({ from: NUMBER });
  expect(await version()).toEqual(before);
  await query(`update customer_names set seen_at = $1`, [new Date(Date.now() - DAY_MS)]);
  await send(NUMBER);
  const [row] = await query<{ seen_at: Date }>('select seen_at from customer_names');
  expect(row?.seen_at.getTime()).toBeGreaterThan(Date.now() - 60_000);
});

test('receipts in the list of events name their message, whichever filter finds them', async () => {
  await query('truncate events cascade');
  const id = newMessageId();
  await write({ from: NUMBER });
  for (const status of ['sent', 'delivered', 'read']) await report(id, status);
  const receiptsOf = async (filter: object = {}) =>
    (await readEvents(viewer(), eventFilterSchema.parse(filter))).data.map(({ receiptOf }) => receiptOf);
  expect(await receiptsOf()).toEqual([id, id, id, null]);
  expect(await receiptsOf({ outcome: 'recorded' })).toEqual([id, id, id]);
  const { data } = await readEvents(viewer(), eventFilterSchema.parse({ limit: 1 }));
  const event = await readEvent({ ...receiver.world.ctx, ...viewer() } as never, data[0]?.id ?? '');
  expect(event.receiptOf).toBe(id);
});

test('the page of a customer has their data, messages and consent', async () => {
  await write({ from: NUMBER, name: 'Kim' });
  const page = await readCustomerPage(editor(), await customerId());
  expect(page).toMatchObject({
    customer: { numbers: [NUMBER], profile_name: 'Kim' },
    firstPage: { data: [{ direction: 'received', text: 'Hi' }], searched_to: null },
    consent: { hold: null },
  });
});

test('the id of a customer who turned out to be another one leads there, also after a second time', async () => {
  await write({ userId: USER_ID });
  const first = await customerId();
  await write({ from: NUMBER });
  await write({ from: NUMBER, userId: USER_ID });
  const joined = await customerId();
  expect(joined).not.toBe(first);
  const entered = '4901711234567';
  await send(entered);
  const second = (await find(entered))[0]?.id ?? '';
  await receiver.world.ctx.db.execute(learnAlias(receiver.world.workspaceId, { entered, number: NUMBER }));
  const { id } = await readCustomer(editor(), joined);
  for (const old of [first, second, joined]) {
    expect((await readCustomer(editor(), old)).id).toBe(id);
    expect((await readTimeline(editor(), { id: old, limit: 25 })).data).toHaveLength(4);
    expect((await getConsent(receiver.world.ctx, { id: old })).customer_id).toBe(id);
  }
  await expect(readCustomer({ ...editor(), workspaceId: newId() }, first)).rejects.toThrow('does not exist');
});

test('runs and events are found by the number of their customer in any spelling, beside what has it in its text', async () => {
  const workflowId = await receiver.addWorkflow();
  const [own, other] = [await start(workflowId), await start(workflowId)];
  await send(NUMBER, own);
  await send(OTHER, other);
  const asked = await write({ from: NUMBER });
  await write({ from: OTHER });
  // What they wrote is found by the index alone.
  await query(`update events set body = '{}'`);
  const { rows } = await receiver.world.runtime.hot.query<{ event_id: string }>(
    'select event_id from received_messages where message_id = $1',
    [asked],
  );
  const runsOf = async (text: string, more: object = {}, reader = editor()) =>
    (await readRuns(reader, runFilterSchema.parse({ text, ...more }))).data.map(({ id }) => id);
  const eventsOf = async (text: string, reader = editor()) =>
    (await readEvents(reader, eventFilterSchema.parse({ text }))).data.map(({ id }) => id);
  for (const text of ['+49 171 1234567', '0049171/1234567', '0171 1234567', NUMBER]) {
    expect(await runsOf(text), text).toEqual([own]);
    expect(await eventsOf(text), text).toContain(rows[0]?.event_id);
    expect(await eventsOf(text), text).toHaveLength(1);
  }
  expect(await runsOf('0171 1234567', { status: 'failed' })).toEqual([]);
  expect(await runsOf('0171 1234567', { from: new Date(Date.now() + DAY_MS).toISOString() })).toEqual([]);
  expect(await runsOf('0171 12345')).toEqual([]);
  expect((await runsOf('4567', {}, viewer())).toSorted()).toEqual([own, other].toSorted());
  expect(await runsOf('4567')).toEqual([]);
});

test('runs and events are found by the words that customers wrote, whatever their age, and not by numbers for viewers', async () => {
  const workflowId = await receiver.addWorkflow();
  const runId = await start(workflowId);
  const asked = await write({ from: NUMBER, text: 'Is the Crème brûlée still there?! Call +49 171 7654321' });
  await write({ from: NUMBER, text: 'Crème fraîche' });
  await write({ from: NUMBER, text: '' });
  const { rows } = await receiver.world.runtime.hot.query<{ event_id: string }>(
    'select event_id from received_messages where message_id = $1',
    [asked],
  );
  const eventId = rows[0]?.event_id;
  await query(`update events set body = '{}'`);
  await query('update events set run_id = $1 where id = $2', [runId, eventId]);
  const eventsOf = async (text: string, reader = editor(), more: object = {}) =>
    (await readEvents(reader, eventFilterSchema.parse({ text, ...more }))).data.map(({ id }) => id);
  for (const text of ['brûlée', 'BRÛLÉE crème', 'there', '7654321'])
    expect(await eventsOf(text), text).toEqual([eventId]);
  expect(await eventsOf('crème')).toHaveLength(2);
  for (const text of ['brûlée fraîche', 'brul', '?!']) expect(await eventsOf(text), text).toEqual([]);
  expect(await eventsOf('brûlée', viewer())).toEqual([eventId]);
  for (const text of ['7654321', 'brûlée 171 7654321'])
    expect(await eventsOf(text, viewer()), text).toEqual([]);
  const later = new Date(Date.now() + DAY_MS).toISOString();
  expect(await eventsOf('brûlée', editor(), { from: later })).toEqual([]);
  expect(await eventsOf('brûlée', { ...editor(), workspaceId: newId() })).toEqual([]);
  expect((await readRuns(editor(), runFilterSchema.parse({ text: 'brûlée' }))).data).toMatchObject([
    { id: runId },
  ]);
  await query(`update received_words set words =
    (select array_agg(regexp_replace(word, '[.](\\d+)[.]', '.' || (substring(word from '[.](\\d+)[.]')::int - 52) || '.')) from unnest(words) word)`);
  const oldId = lowestIdAt(Date.now() - 364 * DAY_MS);
  await query('update received_words set event_id = $1 where event_id = $2', [oldId, eventId]);
  await query('update events set id = $1 where id = $2', [oldId, eventId]);
  expect(await eventsOf('brûlée')).toEqual([oldId]);
  // As if it had arrived a year ago: outside of the period.
  expect(await eventsOf('brûlée', editor(), { since: '30d' })).toEqual([]);
});

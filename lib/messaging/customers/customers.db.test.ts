// Number and user id are one customer, whichever of them a notification contains.
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { findWindow } from '#lib/messaging/sending/find-window.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import {
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';
import { untilWaiting } from '#lib/testing/until-waiting.ts';
import { learnCustomer } from './customer-names.ts';

const NUMBER = '15550001111';
const OTHER_NUMBER = '15550002222';
const USER_ID = 'US.1349AAA';
const OTHER_USER_ID = 'US.1349BBB';
const AT = 1_700_000_000;

const receiver = setUpNotifications();
beforeEach(() =>
  receiver.world.runtime.hot.query(
    'delete from customer_names; delete from conversation_windows; delete from received_changes; delete from sent_messages; delete from signal_waits',
  ),
);

const receive = (message: object) =>
  receiver.deliver(
    notification({
      messages: [
        { id: newMessageId(), timestamp: String(AT), type: 'text', text: { body: 'Hi' }, ...message },
      ],
    }),
  );

/** The names of each customer. */
/** A message that was sent to the number. @returns its id */
async function sendToNumber(): Promise<string> {
  const messageId = newMessageId();
  await recordSent(receiver.world.ctx, {
    messageId,
    connectionId: receiver.connectionId,
    phoneNumberId: PHONE,
    recipient: NUMBER,
    kind: 'text',
    taskRun: null,
  });
  return messageId;
}

async function listCustomers(): Promise<string[][]> {
  const { rows } = await receiver.world.runtime.hot.query<{ names: string[] }>(
    'select array_agg(name order by name) as names from customer_names group by customer_id order by 1',
  );
  return rows.map(({ names }) => names);
}

const hasWindow = async (customer: string) =>
  (await findWindow(receiver.world.ctx, { phoneNumberId: PHONE, customer })) !== undefined;

describe('names are put together', () => {
  test('by a message that tells both', async () => {
    await receive({ from: NUMBER });
    await receive({ from_user_id: USER_ID });
    expect(await listCustomers()).toEqual([[NUMBER], [USER_ID]]);
    await receive({ from: NUMBER, from_user_id: USER_ID });
    expect(await listCustomers()).toEqual([[NUMBER, USER_ID]]);
  });

  test('by the contact of a message that tells the user id only', async () => {
    await receiver.deliver(
      notification({
        contacts: [{ wa_id: NUMBER, user_id: USER_ID, profile: { name: 'Kim' } }],
        messages: [{ id: newMessageId(), from_user_id: USER_ID, timestamp: String(AT), type: 'text' }],
      }),
    );
    expect(await listCustomers()).toEqual([[NUMBER, USER_ID]]);
  });

  test('by a status of a message that was sent to the number', async () => {
    const status = { id: newMessageId(), status: 'sent', timestamp: String(AT) };
    await receiver.deliver(
      notification({ statuses: [{ ...status, recipient_id: NUMBER, recipient_user_id: USER_ID }] }),
    );
    expect(await listCustomers()).toEqual([[NUMBER, USER_ID]]);
  });

  test('by a status without a number, of a message whose recipient is known', async () => {
    const messageId = await sendToNumber();
    const status = { id: messageId, status: 'delivered', timestamp: String(AT) };
    await receiver.deliver(notification({ statuses: [{ ...status, recipient_user_id: USER_ID }] }));
    expect(await listCustomers()).toEqual([[NUMBER, USER_ID]]);
  });

  test('by a reply to a message that was sent to the number', async () => {
    const messageId = await sendToNumber();
    await receive({ from_user_id: USER_ID, context: { from: '12125550101', id: messageId } });
    expect(await listCustomers()).toEqual([[NUMBER, USER_ID]]);
  });

  test('by the answer to a send, where the platform has another number for the one that was entered', async () => {
    const { ctx, runtime, workspaceId } = receiver.world;
    const [entered, number] = ['525550001111', '5215550001111'];
    await receive({ from: number, from_user_id: USER_ID });
    expect(await hasWindow(entered)).toBe(false);
    const sent = {
      connectionId: receiver.connectionId,
      phoneNumberId: PHONE,
      kind: 'text' as const,
      taskRun: null,
    };
    for (const copy of [1, 2])
      await recordSent(ctx, { ...sent, messageId: `${newMessageId()}${copy}`, recipient: entered, number });
    expect(await listCustomers()).toEqual([[number, entered, USER_ID]]);
    expect(await hasWindow(entered)).toBe(true);
    const told = { number, userId: USER_ID, businessAccountId: '1' };
    expect((await learnCustomer(runtime.hot, workspaceId, told)).names).toEqual([number, entered, USER_ID]);
    await receive({
      from: number,
      from_user_id: USER_ID,
      type: 'system',
      system: { type: 'user_changed_number', wa_id: OTHER_NUMBER, user_id: OTHER_USER_ID },
    });
    expect(await listCustomers()).toEqual([[OTHER_NUMBER, OTHER_USER_ID]]);
  });

  test('by the answer to a send to a customer whom nobody knew, and who was known by the entered number alone', async () => {
    const { ctx } = receiver.world;
    const sent = {
      connectionId: receiver.connectionId,
      phoneNumberId: PHONE,
      kind: 'text' as const,
      taskRun: null,
    };
    const send = (recipient: string, number: string) =>
      recordSent(ctx, { ...sent, messageId: newMessageId(), recipient, number });
    await send('525550002222', '5215550002222');
    await receive({ from: '525550003333', from_user_id: USER_ID });
    await send('525550003333', '5215550003333');
    await send(NUMBER, NUMBER);
    await send(USER_ID, '5215550003333');
    expect(await listCustomers()).toEqual([
      [NUMBER],
      ['5215550002222', '525550002222'],
      ['5215550003333', '525550003333', USER_ID],
    ]);
  });

  test('but not those of members of a group', async () => {
    await receive({ from: NUMBER, group_id: 'g.1' });
    await receive({ from: OTHER_NUMBER, group_id: 'g.1' });
    const status = { id: newMessageId(), status: 'read', timestamp: String(AT), recipient_id: 'g.1' };
    await receiver.deliver(notification({ statuses: [{ ...status, recipient_participant_id: NUMBER }] }));
    expect(await listCustomers()).toEqual([[NUMBER], [OTHER_NUMBER]]);
  });
});

describe('windows', () => {
  test('are open under every name of the customer', async () => {
    await receive({ from_user_id: USER_ID });
    expect(await hasWindow(NUMBER)).toBe(false);
    await receiver.deliver(
      notification({
        statuses: [
          {
            id: newMessageId(),
            status: 'sent',
            timestamp: String(AT),
            recipient_id: NUMBER,
            recipient_user_id: USER_ID,
          },
        ],
      }),
    );
    expect(await hasWindow(NUMBER)).toBe(true);
    expect(await hasWindow(USER_ID)).toBe(true);
    expect(await hasWindow(OTHER_NUMBER)).toBe(false);
  });
});

describe('changes', () => {
  const system = (type: string, more: object) => ({
    from: NUMBER,
    from_user_id: USER_ID,
    type: 'system',
    system: { type, body: 'Kim changed', ...more },
  });

  test('a new number and user id: the customer takes their window along, the old number is nobody’s', async () => {
    await receive({ from: NUMBER, from_user_id: USER_ID });
    await receive(system('user_changed_number', { wa_id: OTHER_NUMBER, user_id: OTHER_USER_ID }));
    expect(await listCustomers()).toEqual([[OTHER_NUMBER, OTHER_USER_ID]]);
    expect(await hasWindow(OTHER_NUMBER)).toBe(true);
    expect(await hasWindow(OTHER_USER_ID)).toBe(true);
    expect(await hasWindow(NUMBER)).toBe(false);
    await receive({ from: NUMBER, from_user_id: 'US.1349CCC' });
    expect(await listCustomers()).toEqual([
      [NUMBER, 'US.1349CCC'],
      [OTHER_NUMBER, OTHER_USER_ID],
    ]);
  });

  test('a new user id alone', async () => {
    await receive({ from: NUMBER, from_user_id: USER_ID });
    await receive(system('user_changed_user_id', { user_id: OTHER_USER_ID }));
    expect(await listCustomers()).toEqual([[NUMBER, OTHER_USER_ID]]);
  });

  test('of somebody nobody knew', async () => {
    await receive(system('user_changed_number', { wa_id: OTHER_NUMBER }));
    expect(await listCustomers()).toEqual([[OTHER_NUMBER, USER_ID]]);
    expect(await hasWindow(OTHER_NUMBER)).toBe(false);
  });

  test('that no notification told: the newest names win', async () => {
    await receive({ from: NUMBER, from_user_id: USER_ID });
    await receive({ from: NUMBER, from_user_id: OTHER_USER_ID });
    expect(await listCustomers()).toEqual([[NUMBER, OTHER_USER_ID]]);
    await receive({ from: OTHER_NUMBER, from_user_id: OTHER_USER_ID });
    expect(await listCustomers()).toEqual([[OTHER_NUMBER, OTHER_USER_ID]]);
  });
});

describe('open waits follow in the transaction that records the change', () => {
  const SECOND_PHONE = '990000000000002';
  const KEY = (name: string, phone: string = PHONE) => `customer:${phone}:${name}`;

  async function openWait(key: string): Promise<string> {
    const id = newId();
    await receiver.world.runtime.hot.query(
      `insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
       values ($1, $2, $3, $4, 2, '', 'newest', 0, now(), true)`,
      [id, receiver.world.workspaceId, key, newId()],
    );
    return id;
  }

  const readWait = async (id: string) => {
    const { rows } = await receiver.world.runtime.hot.query<object>(
      'select key, is_open, due_at, signals from signal_waits where id = $1',
      [id],
    );
    return rows[0];
  };

  const changedNumber = (more: object) => ({ type: 'user_changed_number', body: 'Kim changed', ...more });
  const changedId = (more: object) => ({ type: 'user_changed_user_id', body: 'Kim changed', ...more });
  const BOTH = { from: NUMBER, from_user_id: USER_ID };
  const NOW = { wa_id: OTHER_NUMBER, user_id: OTHER_USER_ID };
  test.each([
    ['a new number', BOTH, changedNumber(NOW), NUMBER, OTHER_NUMBER],
    ['a new number, waiting for the user id', BOTH, changedNumber(NOW), USER_ID, OTHER_USER_ID],
    [
      'a new number, as reported since 2026-08',
      BOTH,
      changedNumber({ ...NOW, previous_user_id: USER_ID }),
      NUMBER,
      OTHER_NUMBER,
    ],
    [
      'a new number of a customer who hides it',
      { from_user_id: USER_ID },
      changedNumber({ user_id: OTHER_USER_ID }),
      USER_ID,
      OTHER_USER_ID,
    ],
    [
      'a new number of a customer who is known by both, and hides it',
      { from_user_id: OTHER_USER_ID },
      changedNumber({ previous_user_id: USER_ID, user_id: OTHER_USER_ID }),
      USER_ID,
      OTHER_USER_ID,
    ],
    [
      'a new user id',
      { from_user_id: USER_ID },
      changedId({ user_id: OTHER_USER_ID }),
      USER_ID,
      OTHER_USER_ID,
    ],
    [
      'a new user id, reported without a sender',
      {},
      changedId({ previous_user_id: USER_ID, user_id: OTHER_USER_ID }),
      USER_ID,
      OTHER_USER_ID,
    ],
    [
      'a new user id, reported with the number alone',
      {},
      changedId({ wa_id: NUMBER, user_id: OTHER_USER_ID }),
      USER_ID,
      OTHER_USER_ID,
    ],
  ])('%s', async (_, from, system, name, now) => {
    await receive(BOTH);
    const waits = await Promise.all([openWait(KEY(name)), openWait(KEY(name, SECOND_PHONE))]);
    const others = await Promise.all([openWait(KEY('15550009999')), openWait(`status:${NUMBER}`)]);
    const before = await Promise.all(others.map(readWait));
    await receive({ ...from, type: 'system', system });
    const note = JSON.parse(((await readWait(waits[0])) as { signals: string[] }).signals[0] ?? '{}') as {
      names?: object[];
    };
    expect(note.names).toContainEqual({ from: name, to: now });
    for (const [place, phone] of [PHONE, SECOND_PHONE].entries())
      expect(await readWait(waits[place] ?? '')).toMatchObject({
        key: KEY(now, phone),
        is_open: true,
        due_at: null,
      });
    expect(await Promise.all(others.map(readWait))).toEqual(before);
  });

  test('also of a number that was entered in another way', async () => {
    const [entered, number] = ['525550001111', '5215550001111'];
    await recordSent(receiver.world.ctx, {
      messageId: newMessageId(),
      connectionId: receiver.connectionId,
      phoneNumberId: PHONE,
      kind: 'text',
      taskRun: null,
      recipient: entered,
      number,
    });
    const wait = await openWait(KEY(entered));
    await receive({ from: number, type: 'system', system: changedNumber({ wa_id: OTHER_NUMBER }) });
    expect(await readWait(wait)).toMatchObject({ key: KEY(OTHER_NUMBER) });
  });

  test('and when only the answer itself shows that the number is another one', async () => {
    await receive(BOTH);
    const wait = await openWait(KEY(NUMBER));
    await receive({ from: OTHER_NUMBER, from_user_id: USER_ID });
    expect(await readWait(wait)).toMatchObject({ key: KEY(OTHER_NUMBER) });
  });

  test('not those for somebody whose number another customer has now', async () => {
    await receive({ from: OTHER_NUMBER, from_user_id: OTHER_USER_ID });
    await receive(BOTH);
    const wait = await openWait(KEY(OTHER_USER_ID));
    await receive({ from: OTHER_NUMBER, from_user_id: USER_ID });
    expect(await readWait(wait)).toMatchObject({ key: KEY(OTHER_USER_ID), signals: [] });
  });
});

test('a customer has a user id in each business portfolio', async () => {
  const pool = receiver.world.runtime.hot;
  const learn = (userId: string, businessAccountId: string) =>
    learnCustomer(pool, receiver.world.workspaceId, { number: NUMBER, userId, businessAccountId });
  const { id } = await learn(USER_ID, '1');
  expect(await learn(OTHER_USER_ID, '2')).toEqual({ id, names: [NUMBER, USER_ID, OTHER_USER_ID] });
});

test('told by many notifications at once, a customer is stored once', async () => {
  const tell = (index: number) =>
    receive(
      index % 3 === 0
        ? { from: NUMBER, from_user_id: USER_ID }
        : index % 3 === 1
          ? { from: NUMBER }
          : { from_user_id: USER_ID },
    );
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => tell(index)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await listCustomers()).toEqual([[NUMBER, USER_ID]]);
});

test('another workspace knows its own customers', async () => {
  await receive({ from: NUMBER, from_user_id: USER_ID });
  const stranger = '00000000-0000-7000-8000-00000000000b';
  const told = { number: NUMBER, userId: '', businessAccountId: '1' };
  expect((await learnCustomer(receiver.world.runtime.hot, stranger, told)).names).toEqual([NUMBER]);
});

describe('that names were reported is stored', () => {
  const age = (interval: string) =>
    receiver.world.runtime.hot.query('update customer_names set seen_at = now() - $1::interval', [interval]);
  const seenSince = async (interval: string): Promise<string[]> => {
    const { rows } = await receiver.world.runtime.hot.query<{ name: string }>(
      'select name from customer_names where seen_at > now() - $1::interval order by name',
      [interval],
    );
    return rows.map(({ name }) => name);
  };

  test('for every name of the customer, whichever one a notification contains, and once an hour', async () => {
    await receive({ from: NUMBER, from_user_id: USER_ID });
    await receive({ from: OTHER_NUMBER });
    await age('2 hours');
    await receive({ from_user_id: USER_ID });
    expect(await seenSince('1 minute')).toEqual([NUMBER, USER_ID]);
    await age('50 minutes');
    await receive({ from_user_id: USER_ID });
    expect(await seenSince('1 minute')).toEqual([]);
  });

  test('by a send to which the platform answers with another number', async () => {
    const send = () =>
      recordSent(receiver.world.ctx, {
        messageId: newMessageId(),
        connectionId: receiver.connectionId,
        phoneNumberId: PHONE,
        recipient: NUMBER,
        number: OTHER_NUMBER,
        kind: 'text',
        taskRun: null,
      });
    await send();
    await age('2 hours');
    await send();
    expect(await seenSince('1 minute')).toEqual([NUMBER, OTHER_NUMBER]);
  });

  test('and names that are deleted at the same moment are stored again', async () => {
    const { hot } = receiver.world.runtime;
    await receive({ from: NUMBER, from_user_id: USER_ID });
    await age('100 days');
    const client = await hot.connect();
    await client.query('begin');
    await client.query('delete from customer_names');
    const received = receive({ from: NUMBER, from_user_id: USER_ID });
    await untilWaiting(hot);
    await client.query('commit');
    client.release();
    expect((await received).status).toBe(200);
    expect(await listCustomers()).toEqual([[NUMBER, USER_ID]]);
  });
});

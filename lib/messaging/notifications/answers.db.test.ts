// Which messages customers answered, and when, whatever the order in which notifications arrive.
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import {
  message,
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';

const receiver = setUpNotifications();
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await receiver.world.runtime.hot.query<Row>(text, values)).rows;
beforeEach(() =>
  query('truncate received_changes, received_messages, sent_messages, conversation_windows, customer_names'),
);

const AT = 1_774_000_000;
const HOUR = 3600;
const NUMBER = '15550002000';
const USER_ID = 'US.1349876543210';
const OTHER_PHONE = '106540352242999';

interface Sent {
  atMs: number;
  recipient?: string;
  phoneNumberId?: string;
  hasFailed?: boolean;
}

async function send({ atMs, recipient = NUMBER, phoneNumberId = PHONE, hasFailed = false }: Sent) {
  const messageId = newMessageId();
  await recordSent(receiver.world.ctx, {
    messageId,
    connectionId: receiver.connectionId,
    phoneNumberId,
    recipient,
    kind: 'text',
    taskRun: null,
  });
  await query('update sent_messages set created_at = $2, status = $3 where message_id = $1', [
    messageId,
    new Date(atMs),
    hasFailed ? 'failed' : 'read',
  ]);
  return messageId;
}

const answer = (seconds: number, from = NUMBER): object => message(newMessageId(), from, seconds);

const answers = async (): Promise<Record<string, number | null>> => {
  const rows = await query<{ id: string; at: Date | null }>(
    'select message_id as id, answered_at as at from sent_messages',
  );
  return Object.fromEntries(rows.map(({ id, at }) => [id, at && at.getTime()]));
};

const deliver = async (...values: object[]) =>
  expect((await receiver.deliver(notification(...values))).status).toBe(200);

const sendings = fc.record({
  atMs: fc.integer({ min: 0, max: 40 * HOUR * 1000 }).map((ms) => AT * 1000 + ms),
  recipient: fc.constantFrom(NUMBER, '15550002001'),
  phoneNumberId: fc.constantFrom(PHONE, PHONE, OTHER_PHONE),
  hasFailed: fc.constantFrom(false, false, false, true),
});
const writings = fc.record({
  at: fc.integer({ min: 0, max: 80 * HOUR }).map((seconds) => AT + seconds),
  from: fc.constantFrom(NUMBER, '15550002001'),
});

/** The platform reports seconds, so a message of the same second may have been there before. */
function answersOf(
  sent: readonly (Required<Sent> & { id: string })[],
  written: readonly { at: number; from: string }[],
): Record<string, number | null> {
  const times = new Map<string, number>();
  for (const { at, from } of written) {
    const last = sent
      .filter(
        ({ recipient, phoneNumberId, hasFailed }) =>
          recipient === from && phoneNumberId === PHONE && !hasFailed,
      )
      .filter(({ atMs }) => atMs < (at + 1) * 1000 && atMs > (at - 24 * HOUR) * 1000)
      .toSorted((a, b) => b.atMs - a.atMs)[0];
    if (last) times.set(last.id, Math.min(times.get(last.id) ?? Infinity, Math.max(at * 1000, last.atMs)));
  }
  return Object.fromEntries(sent.map(({ id }) => [id, times.get(id) ?? null]));
}

test('random messages and answers in any order and any number of notifications: each message has its first answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(sendings, { minLength: 1, maxLength: 10, selector: ({ atMs }) => atMs }),
      fc.array(writings, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 1, max: 10 }),
      async (sent, written, atOnce) => {
        await query('truncate received_changes, received_messages, sent_messages');
        const known = [];
        for (const each of sent) known.push({ ...each, id: await send(each) });
        for (let first = 0; first < written.length; first += atOnce)
          await deliver(...written.slice(first, first + atOnce).map(({ at, from }) => answer(at, from)));
        expect(await answers()).toEqual(answersOf(known, written));
      },
    ),
    { numRuns: 25 },
  );
});

test('a later message takes the answer, and the day after none is an answer', async () => {
  const [early, late] = [await send({ atMs: AT * 1000 }), await send({ atMs: (AT + 60) * 1000 })];
  await deliver(answer(AT + 60 + 24 * HOUR));
  expect(await answers()).toEqual({ [early]: null, [late]: null });
  await deliver(answer(AT + 90), answer(AT + 80));
  expect(await answers()).toEqual({ [early]: null, [late]: (AT + 80) * 1000 });
});

test('a message of staff between takes the answer, and what arrives twice changes nothing', async () => {
  const sent = await send({ atMs: AT * 1000 });
  await query(
    `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, timeline, created_at)
     select workspace_id, 'wamid.staff', connection_id, phone_number_id, recipient, 'sent', $1, '[]', $1 from sent_messages`,
    [new Date((AT + 10) * 1000)],
  );
  const written = answer(AT + 20);
  await deliver(written);
  await deliver(written);
  expect(await answers()).toEqual({ [sent]: null, 'wamid.staff': (AT + 20) * 1000 });
});

test('a customer answers under another name than the message was sent to', async () => {
  await deliver({
    contacts: [{ wa_id: NUMBER, user_id: USER_ID, profile: { name: 'Kim' } }],
    messages: [
      {
        ...{ id: newMessageId(), from: NUMBER, from_user_id: USER_ID, timestamp: String(AT) },
        ...{ type: 'text', text: { body: 'Hi' } },
      },
    ],
  });
  const sent = await send({ atMs: AT * 1000 + 400, recipient: USER_ID });
  const later = await send({ atMs: AT * 1000 + 500, recipient: NUMBER });
  await deliver(answer(AT + 5));
  expect(await answers()).toEqual({ [sent]: null, [later]: (AT + 5) * 1000 });
});

test('what is written in a group answers no message', async () => {
  const sent = await send({ atMs: AT * 1000 });
  await deliver(
    message(newMessageId(), NUMBER, AT + 5, { type: 'text', text: { body: 'Hi all' }, group_id: 'group-1' }),
  );
  expect(await answers()).toEqual({ [sent]: null });
});

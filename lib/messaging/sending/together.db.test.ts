// Many messages at once share statements (docs/decisions/sending.md), and each still gets what it would get alone.
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { findBlock } from './find-blocks.ts';
import { findWindow } from './find-window.ts';
import { recordSentTogether, type SentMessage } from './record-sent.ts';
import { takeTurn, type Turn } from './take-turn.ts';

const PHONE = '106540352242922';
const OTHER_PHONE = '106540352242923';
const COUNT = 60;
const LIMITS = { messagesPerSecond: 80, pairBurst: 3, pairRefillSeconds: 6 };

let database: TestDatabase;
let db: Database;
let statements: number;
const workspaceId = newId();

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'together' });
  const query = db.$client.query.bind(db.$client) as (...given: unknown[]) => Promise<unknown>;
  db.$client.query = ((...given: unknown[]) => {
    statements += 1;
    return query(...given);
  }) as typeof db.$client.query;
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});
beforeEach(async () => {
  for (const table of ['send_rates', 'send_turns', 'sent_messages', 'conversation_windows', 'customer_names'])
    await db.$client.query(`delete from ${table}`);
  statements = 0;
});

/** Does it for each place at once. */
const atOnce = <Result>(work: (place: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: COUNT }, (_, place) => work(place)));

const recipientOf = (place: number): string => String(15_550_000_000 + place);

const turnOf = (place: number, more: Partial<Parameters<typeof takeTurn>[1]> = {}): Promise<Turn> =>
  takeTurn(db.$client, {
    phoneNumberId: PHONE,
    recipient: recipientOf(place),
    turnKey: `turn ${place}`,
    isFirstAttempt: true,
    limits: LIMITS,
    ...more,
  });

const waitOf = (turn: Turn): number => (turn.kind === 'wait' ? turn.waitMs : turn.seconds * 1000);

const secrets = createSecretBox(`k1:${Buffer.alloc(32, 1).toString('base64')}`);

test('turns are given in the order of the messages, one after the other', async () => {
  const turns = await atOnce((place) => turnOf(place));
  const burst = 20;
  // Instants are stored in whole milliseconds.
  for (const [place, turn] of turns.entries())
    expect(Math.abs(waitOf(turn) - Math.max(0, (place + 1 - burst) * 12.5))).toBeLessThan(1);
  expect(statements).toBe(1);
});

test('a customer’s own limit delays only what goes to them, and no other number', async () => {
  const turns = await atOnce((place) =>
    turnOf(place, { recipient: place < 5 ? 'same' : recipientOf(place), phoneNumberId: OTHER_PHONE }),
  );
  expect(turns.slice(0, 6).map((turn) => Math.round(waitOf(turn)))).toEqual([0, 0, 0, 6000, 12_000, 0]);
  expect(turns[3]).toMatchObject({ kind: 'later' });
  const { rows } = await db.$client.query('select turn_key from send_turns order by turn_key');
  expect(rows).toEqual([{ turn_key: 'turn 3' }, { turn_key: 'turn 4' }]);
  expect(waitOf(await turnOf(0, { phoneNumberId: PHONE }))).toBe(0);
});

test('what was kept for a message is its turn, beside messages that come for the first time', async () => {
  await atOnce((place) => turnOf(place, { recipient: 'same', turnKey: `first ${place}` }));
  await db.$client.query(`update send_turns set turn_at = now() - interval '1 second'`);
  const turns = await atOnce((place) =>
    place % 2 === 0
      ? turnOf(place, { recipient: 'same', turnKey: `first ${place}`, isFirstAttempt: false })
      : turnOf(place, { phoneNumberId: OTHER_PHONE, isFirstAttempt: false }),
  );
  expect(turns.filter((_, place) => place % 2 === 0 && place > 3).map(waitOf)).toEqual(
    Array.from({ length: COUNT / 2 - 2 }, () => 0),
  );
  expect(waitOf(turns[1] as Turn)).toBe(0);
});

const sentTo = (place: number, more: Partial<SentMessage> = {}): SentMessage => ({
  messageId: `wamid.${place}`,
  connectionId: newId(),
  phoneNumberId: PHONE,
  recipient: recipientOf(place),
  kind: 'template',
  templateName: 'order_confirmation',
  taskRun: { runId: newId(), taskId: 2, iteration: '' },
  ...more,
});

test('sent messages are recorded by one statement, each with what is known of it', async () => {
  await atOnce((place) => recordSentTogether({ pool: db.$client, workspaceId }, sentTo(place)));
  expect(statements).toBe(1);
  const { rows } = await db.$client.query(
    `select s.message_id, s.recipient, s.kind, s.template_name, s.task_id, s.iteration, s.status, s.timeline -> 0 ->> 'status' as first,
       b.recipient as counted
     from sent_messages s join business_initiated_messages b using (workspace_id, message_id) order by s.recipient`,
  );
  expect(rows).toHaveLength(COUNT);
  expect(rows[7]).toEqual({
    message_id: 'wamid.7',
    recipient: recipientOf(7),
    kind: 'template',
    template_name: 'order_confirmation',
    task_id: 2,
    iteration: '',
    status: 'accepted',
    first: 'accepted',
    counted: recipientOf(7),
  });
});

test('one that cannot be recorded leaves the others recorded', async () => {
  const recorded = await Promise.allSettled(
    Array.from({ length: COUNT }, (_, place) =>
      recordSentTogether(
        { pool: db.$client, workspaceId },
        sentTo(place, place === 9 ? { messageId: 'wamid.\u0000' } : { messageId: `wamid.other.${place}` }),
      ),
    ),
  );
  expect(recorded.flatMap(({ status }, place) => (status === 'rejected' ? [place] : []))).toEqual([9]);
  expect((await db.$client.query('select from sent_messages')).rowCount).toBe(COUNT - 1);
});

test('windows are found by one query, each for its own customer', async () => {
  await db.$client.query(
    `insert into conversation_windows values ($1, $2, $3, now() - interval '1 hour', 'wamid.w')`,
    [workspaceId, PHONE, recipientOf(4)],
  );
  statements = 0;
  const windows = await atOnce((place) =>
    findWindow({ db, workspaceId }, { phoneNumberId: PHONE, customer: recipientOf(place) }),
  );
  expect(windows.flatMap((window, place) => (window ? [place] : []))).toEqual([4]);
  expect(statements).toBe(1);
});

test('what keeps messages from customers is looked up for all at once, and each gets their own', async () => {
  await db.$client.query(`insert into workspaces (id, name) values ($1, 'Together')`, [workspaceId]);
  await db.$client.query(
    `insert into customer_consents (workspace_id, name, purpose, state, since, evidence)
     values ($1, $2, 'all', 'stopped', now(), '{}'), ($1, $3, 'all', 'given', now(), '{}')`,
    [workspaceId, recipientOf(1), recipientOf(2)],
  );
  await db.$client.query(
    `insert into customer_holds (workspace_id, name, since, until, reason, evidence)
     values ($1, $2, now(), null, 'Call', '{}'), ($1, $3, now(), now() - interval '1 minute', '', '{}')`,
    [workspaceId, recipientOf(3), recipientOf(4)],
  );
  statements = 0;
  const found = await atOnce((place) =>
    findBlock(db.$client, { workspaceId, secrets, recipient: recipientOf(place) }),
  );
  expect(statements).toBe(1);
  expect(found.flatMap((block, place) => (block ? [[place, block]] : []))).toEqual([
    [1, { stopped: 'all', hold: null }],
    [3, { stopped: null, hold: { reason: 'Call', until: null, sends: 'suppress' } }],
  ]);
});

// What is recorded of a message costs the same with many customers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { databaseOver, openHotPool, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { countRowsRead } from '#lib/testing/count-rows-read.ts';
import { explainWork } from '#lib/testing/explain.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { findBlock } from './find-blocks.ts';
import { findWindow } from './find-window.ts';
import { recordSentTogether } from './record-sent.ts';

const KNOWN = 20_000;
const TOGETHER = 50;
const PHONE = '106540352242922';
/** Pages of a few indexes, and what is written. */
const PAGES_A_MESSAGE = 150;
const ROWS_A_MESSAGE = 20;
const TABLES = [
  'sent_messages',
  'customer_names',
  'conversation_windows',
  'business_initiated_messages',
  'undelivered_runs',
];

let database: TestDatabase;
let pool: Pool;
const workspaceId = newId();
const secrets = createSecretBox(`k1:${Buffer.alloc(32, 1).toString('base64')}`);

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openHotPool(database.url, { maxConnections: 1, name: 'record-sent', answerTimeoutMs: 60_000 });
  await fill();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const recipientOf = (place: number): string => String(15_550_000_000 + place);

/** Messages, windows and names of as many customers as a day has. */
async function fill(): Promise<void> {
  const values = [workspaceId, KNOWN, PHONE];
  const customers = `generate_series(1, $2::int) as n(place), lateral (select (15550000000 + place)::text as number) c`;
  await pool.query(
    `insert into customer_names (workspace_id, name, customer_id, business_account_id)
     select $1, number, gen_random_uuid(), '' from ${customers} where $3::text is not null on conflict do nothing`,
    values,
  );
  await pool.query(
    `insert into conversation_windows (workspace_id, phone_number_id, customer, last_message_id, last_message_at)
     select $1, $3, number, 'wamid.' || place, now() - interval '2 hours' from ${customers} on conflict do nothing`,
    values,
  );
  await pool.query(
    `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, kind, status, status_at, timeline)
     select $1, 'wamid.old.' || place, gen_random_uuid(), $3, number, 'template', 'failed', now(), '[]' from ${customers} on conflict do nothing`,
    values,
  );
}

test('messages that were sent are recorded by key, in tables that were never analyzed', async () => {
  const explained = await explainWork(pool, () =>
    recordMessages(
      pool,
      Array.from({ length: TOGETHER }, (_, place) => `${place}`),
    ),
  );
  expect(explained).toHaveLength(1);
  for (const { text, reads } of explained)
    expect(reads.buffers / TOGETHER, text).toBeLessThan(PAGES_A_MESSAGE);
});

test('a plan that was made while the tables were empty records messages by key later', async () => {
  await pool.query(`truncate ${TABLES.join(', ')}`);
  await pool.query(`vacuum analyze ${TABLES.join(', ')}`);
  const fresh = openHotPool(database.url, { maxConnections: 1, name: 'kept-plan', answerTimeoutMs: 60_000 });
  try {
    await recordMessages(fresh, ['first']);
    await fill();
    const before = await countRowsRead(fresh, TABLES);
    await recordMessages(
      fresh,
      Array.from({ length: TOGETHER }, (_, place) => `later.${place}`),
    );
    expect((await countRowsRead(fresh, TABLES)) - before).toBeLessThan(ROWS_A_MESSAGE * TOGETHER);
    const kept = await fresh.query<{ name: string }>('select name from pg_prepared_statements');
    expect(kept.rows).toEqual([{ name: 'record_sent' }]);
  } finally {
    await fresh.end();
  }
});

/** All at once. */
const recordMessages = (of: Pool, ids: readonly string[]): Promise<unknown> =>
  Promise.all(
    ids.map((id, place) =>
      recordSentTogether(
        { pool: of, workspaceId },
        {
          messageId: `wamid.${id}`,
          connectionId: newId(),
          phoneNumberId: PHONE,
          recipient: recipientOf(place),
          kind: 'template',
          taskRun: { runId: newId(), workflowId: newId(), taskId: 2, iteration: '' },
        },
      ),
    ),
  );

test('windows, and what keeps messages from customers, are found by key', async () => {
  const db = databaseOver(pool);
  const places = Array.from({ length: TOGETHER }, (_, place) => place);
  const explained = await explainWork(pool, () =>
    Promise.all([
      ...places.map((place) =>
        findWindow({ db, workspaceId }, { phoneNumberId: PHONE, customer: recipientOf(place) }),
      ),
      ...places.map((place) => findBlock(pool, { workspaceId, secrets, recipient: recipientOf(place) })),
    ]),
  );
  expect(explained).toHaveLength(2);
  for (const { text, reads } of explained)
    expect(reads.buffers / TOGETHER, text).toBeLessThan(PAGES_A_MESSAGE);
});

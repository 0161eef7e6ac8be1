// The bench fills tables by SQL: its rows must have the columns that the product sets.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wordKeys } from '#lib/messaging/conversations/received-words.ts';
import { startTestProduct, type TestProduct } from '../../server/testing/test-product.ts';
import { fill, FILLED_TABLES } from './fill.ts';
import { readFillOptions, talk } from './talk.ts';

let server: TestProduct;

beforeAll(async () => {
  server = await startTestProduct({ parts: [] });
});

afterAll(() => server.stop());

/** Columns of a table that any of its rows has a value in. */
async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await server.db.$client.query<{ name: string }>(
    `select distinct field.key as name from ${table} t, jsonb_each(to_jsonb(t)) field where field.value <> 'null' order by 1`,
  );
  return rows.map(({ name }) => name);
}

test('filled rows have the columns of those of a conversation, and are found', async () => {
  const { $client: pool } = server.db;
  const web = await server.start('web');
  const worker = await server.start('worker');
  await talk(server);
  await Promise.all([web.stop(), worker.stop()]);
  const written = new Map<string, string[]>();
  for (const table of FILLED_TABLES) written.set(table, await columnsOf(table));
  const options = await readFillOptions(pool);
  await pool.query(`truncate ${FILLED_TABLES.join()} cascade`);
  await fill(pool, { ...options, messages: 20_000, hasRuns: true, say: () => undefined });
  const filled = new Map<string, string[]>();
  for (const table of FILLED_TABLES) filled.set(table, await columnsOf(table));
  expect(Object.fromEntries(filled)).toEqual(Object.fromEntries(written));

  const { rows } = await pool.query<{ words: string[]; at: Date; body: string }>(
    `select w.words, r.received_at as at, convert_from(e.body, 'UTF8') as body
     from received_words w join received_messages r using (event_id) join events e on e.id = event_id limit 100`,
  );
  expect(rows).toHaveLength(100);
  for (const { words, at, body } of rows) {
    const { text } = JSON.parse(body) as { text: string };
    expect(words.toSorted()).toEqual(wordKeys(options.workspaceId, at, text).toSorted());
  }
  const { rows: counts } = await pool.query(
    'select count(*)::int as messages, count(distinct recipient)::int as customers from sent_messages',
  );
  expect(counts).toEqual([{ messages: 20_000, customers: 2000 }]);
});

import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { Columns, namesOf, unnest } from './columns.ts';

const TYPES = { id: 'uuid', count: 'int', words: 'text', raw: 'bytea', at: 'timestamptz' } as const;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

type Row = [string | null, number | null, string | null, Buffer | null, number | null];

async function roundTrip(rows: readonly Row[]): Promise<Row[]> {
  const columns = new Columns(TYPES);
  for (const row of rows) columns.add(row);
  const answer = await client.query<Row>({
    name: 'round_trip',
    text: `select id, count, words, raw, (extract(epoch from at) * 1000)::float8 as at
      from ${unnest(TYPES, 1)} with ordinality as t(${namesOf(TYPES)}, place) order by place`,
    values: columns.parameters,
    rowMode: 'array',
  });
  return answer.rows;
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });
const wellFormed = fc
  .string({ unit: 'binary', maxLength: 300 })
  .map((text) => text.toWellFormed().replaceAll('\0', ''));
const row = fc.tuple(
  maybe(fc.uuid()),
  maybe(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  maybe(wellFormed),
  maybe(fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))),
  maybe(fc.integer({ min: Date.UTC(1900), max: Date.UTC(2200) })),
);

it('PostgreSQL reads what was added, whatever it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const isSeen = (column: number): boolean => rows.some((each) => each[column] !== null);
      // Trailing empty rows are in no column.
      fc.pre([0, 1, 2, 3, 4].some((column) => isSeen(column) && rows.at(-1)?.[column] !== null));
      expect(await roundTrip(rows)).toEqual(rows);
    }),
    { numRuns: 200 },
  );
});

it('texts that outgrow the scratch memory are whole', async () => {
  const words = 'ä€😀'.repeat(200_000);
  expect(await roundTrip([[null, 1, words, null, null]])).toEqual([[null, 1, words, null, null]]);
});

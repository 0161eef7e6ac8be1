import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { readsOfWork } from '#lib/testing/explain.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { eventsWithWords, wordKeys } from './received-words.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 2 });
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const workspaceId = newId();
const search = async () =>
  (await db.execute<{ event_id: string }>(eventsWithWords({ workspaceId, words: ['order'], rows: 5 }))).rows;

test('where no customer ever wrote, no week is looked at; otherwise as many as there are', async () => {
  const none = await readsOfWork(db.$client, async () => expect(await search()).toEqual([]));
  expect(none.buffers).toBeLessThan(10);
  const eventId = newId();
  await db.$client.query('insert into received_words (event_id, workspace_id, words) values ($1, $2, $3)', [
    eventId,
    workspaceId,
    wordKeys(workspaceId, new Date(), 'Where is my order?'),
  ]);
  const one = await readsOfWork(db.$client, async () =>
    expect(await search()).toEqual([{ event_id: eventId }]),
  );
  expect(one.buffers).toBeLessThan(40);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '#lib/core/db/client.ts';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createWorkspace, ensureFirstWorkspace } from './create-workspace.ts';
import { getWorkspaceTime } from './workspace-time.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'workspace-time' });
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const zoneOf = async (workspaceId: string): Promise<string> =>
  (await getWorkspaceTime({ db, workspaceId })).zone;

test('the first workspace is in UTC until somebody owns it, and then in the zone of their browser', async () => {
  const workspaceId = await ensureFirstWorkspace(db);
  expect(await zoneOf(workspaceId)).toBe('UTC');
  const account = { email: 'first@example.com', password: 'a long password for a test' };
  const { id: userId } = await createFirstOwner(db, { ...account, zone: 'America/Sao_Paulo' });
  expect(await zoneOf(workspaceId)).toBe('America/Sao_Paulo');

  const own = await createWorkspace(db, { name: 'Own', userId, zone: 'Asia/Tokyo' });
  expect(await zoneOf(own.id)).toBe('Asia/Tokyo');
  const unknown = await createWorkspace(db, { name: 'Unknown', userId, zone: 'Mars/Olympus' });
  expect(await zoneOf(unknown.id)).toBe('UTC');
});

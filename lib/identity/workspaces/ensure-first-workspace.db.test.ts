import { expect, test } from 'vitest';
import { openDatabase } from '#lib/core/db/client.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { ensureFirstWorkspace } from './create-workspace.ts';

test('however many processes start at once, there is one first workspace', async () => {
  const database = await createTestDatabase();
  const db = openDatabase(database.url);
  const ids = await Promise.all(Array.from({ length: 6 }, () => ensureFirstWorkspace(db)));
  expect(new Set(ids).size).toBe(1);
  expect((await db.select().from(workspaces)).map(({ id }) => id)).toEqual([ids[0]]);
  expect(await ensureFirstWorkspace(db)).toBe(ids[0]);
  await db.$client.end();
  await database.drop();
});

// For tests of verbs: a separate database and two workspaces that must not access each other's data.
import { randomBytes } from 'node:crypto';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import type { ActorContext } from '#lib/identity/context.ts';

export interface TestContext {
  ctx: ActorContext;
  /** Of another workspace of the same database. */
  stranger: ActorContext;
  end(): Promise<void>;
}

export async function createTestContext(): Promise<TestContext> {
  const database = await createTestDatabase();
  const db = openDatabase(database.url, { maxConnections: 4, name: 'patchbay-test' });
  const [workspaceId, otherId] = [newId(), newId()];
  const createdAt = new Date('2026-01-01T00:00:00Z');
  await db.insert(workspaces).values([
    { id: workspaceId, name: 'One', createdAt },
    { id: otherId, name: 'Two' },
  ]);
  const secrets = createSecretBox(`k1:${randomBytes(32).toString('base64')}`);
  const shared = { db, secrets, baseUrl: 'https://patchbay.example', actor: 'test' };
  return {
    ctx: { ...shared, workspaceId },
    stranger: { ...shared, workspaceId: otherId },
    async end() {
      await db.$client.end();
      await database.drop();
    },
  };
}

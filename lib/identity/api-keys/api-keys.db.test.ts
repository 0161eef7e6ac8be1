import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { newId } from '#lib/core/ids.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/ensure-first-workspace.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { authenticateApiKey } from './authenticate-api-key.ts';
import { createApiKey } from './create-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const ENVIRONMENT_KEY = 'environment-key-of-at-least-32-characters';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

const authenticate = (key: string) => authenticateApiKey(context.ctx.db, key, ENVIRONMENT_KEY);
const rowOf = async (id: string) =>
  (await context.ctx.db.select().from(apiKeys).where(eq(apiKeys.id, id)))[0];

test('a key opens its own workspace, and is kept as a hash only', async () => {
  const { stranger } = context;
  const made = await createApiKey(stranger, { name: 'Shop' });
  expect(made.key).toMatch(/^pb_[\w-]{43}$/);
  expect(made.key.startsWith(made.prefix)).toBe(true);
  expect(await authenticate(made.key)).toMatchObject({
    workspaceId: stranger.workspaceId,
    keyId: made.id,
    role: 'editor',
  });
  expect(JSON.stringify(await rowOf(made.id))).not.toContain(made.key.slice(8));
  expect(JSON.stringify(await listApiKeys(stranger, { limit: 10 }))).not.toContain(made.key);
});

test('an unknown key opens nothing', async () => {
  for (const key of ['pb_unknown', '', 'x'.repeat(100_000)]) expect(await authenticate(key)).toBeUndefined();
});

test('docs/api.md: PATCHBAY_API_KEY is a key of the first workspace, where it is set', async () => {
  const { ctx } = context;
  expect(await ensureFirstWorkspace(ctx.db)).toBe(ctx.workspaceId);
  expect(await authenticate(ENVIRONMENT_KEY)).toMatchObject({
    workspaceId: ctx.workspaceId,
    keyId: 'environment',
    role: 'owner',
  });
  expect(await authenticateApiKey(ctx.db, ENVIRONMENT_KEY, undefined)).toBeUndefined();
});

test('when a key was last used is written once a minute', async () => {
  const { ctx } = context;
  const made = await createApiKey(ctx, { name: 'Often' });
  const setLastUsed = (at: Date) =>
    ctx.db.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.id, made.id));
  await authenticate(made.key);
  expect((await rowOf(made.id))?.lastUsedAt).toBeInstanceOf(Date);
  const halfAMinuteAgo = new Date(Date.now() - 30_000);
  await setLastUsed(halfAMinuteAgo);
  await authenticate(made.key);
  expect((await rowOf(made.id))?.lastUsedAt).toEqual(halfAMinuteAgo);
  await setLastUsed(new Date(Date.now() - 61_000));
  await authenticate(made.key);
  expect((await rowOf(made.id))?.lastUsedAt?.getTime()).toBeGreaterThan(Date.now() - 20_000);
});

test('a revoked key opens nothing and is in no list; another workspace cannot revoke it', async () => {
  const { ctx, stranger } = context;
  const made = await createApiKey(ctx, { name: 'Old' });
  await expect(revokeApiKey(stranger, made)).rejects.toMatchObject({ code: 'not_found' });
  expect(await authenticate(made.key)).toBeDefined();
  await revokeApiKey(ctx, made);
  expect(await authenticate(made.key)).toBeUndefined();
  expect((await listApiKeys(ctx, { limit: 100 })).data.map(({ id }) => id)).not.toContain(made.id);
  for (const id of [made.id, newId(), 'x'])
    await expect(revokeApiKey(ctx, { id })).rejects.toMatchObject({ code: 'not_found' });
});

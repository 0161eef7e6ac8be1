import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { changeRole, removeMember } from '#lib/identity/members/members.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { newId } from '#lib/core/ids.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { authenticateApiKey } from './authenticate-api-key.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { hasScope, KEY_SCOPES } from './scopes.ts';

const ENVIRONMENT_KEY = 'environment-key-of-at-least-32-characters';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

const authenticate = (key: string) => authenticateApiKey(context.ctx.db, key, ENVIRONMENT_KEY);
const refusal = (why: string) => ({
  code: 'unauthorized',
  message: expect.stringContaining(why) as string,
});
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
    scope: 'edit',
  });
  expect(JSON.stringify(await rowOf(made.id))).not.toContain(made.key.slice(8));
  expect(JSON.stringify(await listApiKeys(stranger, { limit: 10 }))).not.toContain(made.key);
});

test('an unknown key opens nothing', async () => {
  for (const key of ['pb_unknown', '', 'x'.repeat(100_000)])
    await expect(authenticate(key)).rejects.toMatchObject(refusal('invalid or was revoked'));
});

test('docs/api.md: PATCHBAY_API_KEY is a key of the first workspace, where it is set', async () => {
  const { ctx } = context;
  expect(await ensureFirstWorkspace(ctx.db)).toBe(ctx.workspaceId);
  expect(await authenticate(ENVIRONMENT_KEY)).toMatchObject({
    workspaceId: ctx.workspaceId,
    keyId: 'environment',
    scope: 'admin',
  });
  await expect(authenticateApiKey(ctx.db, ENVIRONMENT_KEY, undefined)).rejects.toMatchObject(
    refusal('invalid'),
  );
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
  await expect(authenticate(made.key)).rejects.toMatchObject(refusal('was revoked'));
  expect((await listApiKeys(ctx, { limit: 100 })).data.map(({ id }) => id)).not.toContain(made.id);
  for (const id of [made.id, newId(), 'x'])
    await expect(revokeApiKey(ctx, { id })).rejects.toMatchObject({ code: 'not_found' });
});

test('a key does not work after its end, which lists say', async () => {
  const { ctx } = context;
  const made = await createApiKey(ctx, {
    name: 'Short',
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  });
  expect(await authenticate(made.key)).toMatchObject({ keyId: made.id });
  await ctx.db
    .update(apiKeys)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(apiKeys.id, made.id));
  await expect(authenticate(made.key)).rejects.toMatchObject(refusal('expired on'));
  expect(await listed(made.id)).toMatchObject({ scope: 'edit', effective_scope: null });
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  await expect(createApiKey(ctx, { name: 'Late', expires_at: yesterday })).rejects.toMatchObject({
    code: 'invalid_request',
    problems: [{ path: 'expires_at', message: 'Select a date in the future.' }],
  });
});

const listed = async (id: string) =>
  (await listApiKeys(context.ctx, { limit: 100 })).data.find((key) => key.id === id);

test('a key may never do more than the member who created it may now', async () => {
  const { ctx } = context;
  const owner = await createFirstOwner(ctx.db, {
    email: 'owner@example.com',
    password: 'four words in a row',
  });
  const userId = newId();
  await ctx.db.insert(users).values({ id: userId, email: 'maker@example.com' });
  await ctx.db.insert(memberships).values({ workspaceId: ctx.workspaceId, userId, role: 'owner' });
  const made = await createApiKey(ctx, { name: 'Of a member', scope: 'admin' }, { userId });
  expect(made).toMatchObject({ created_by: 'maker@example.com', effective_scope: 'admin' });
  const { key: child } = await createApiKey(
    ctx,
    { name: 'Of its key', scope: 'admin' },
    { key: await authenticate(made.key) },
  );
  const byOwner = { ...ctx, actor: owner.id };
  for (const [role, scope] of [
    ['editor', 'edit'],
    ['viewer', 'read'],
    ['owner', 'admin'],
  ] as const) {
    await changeRole(byOwner, { userId, role });
    for (const key of [made.key, child]) expect(await authenticate(key)).toMatchObject({ scope });
    expect(await listed(made.id)).toMatchObject({ scope: 'admin', effective_scope: scope });
  }
  await removeMember(byOwner, { userId });
  for (const key of [made.key, child])
    await expect(authenticate(key)).rejects.toMatchObject(refusal('has left the workspace'));
  expect(await listed(made.id)).toMatchObject({ effective_scope: null, created_by: 'maker@example.com' });
});

test('a key ends with the key that created it, also when it is created at the same moment', async () => {
  const { ctx } = context;
  const parent = await createApiKey(ctx, { name: 'Parent', scope: 'admin' });
  const by = { key: await authenticate(parent.key) };
  const child = await createApiKey(ctx, { name: 'Child', scope: 'admin' }, by);
  const byChild = { key: await authenticate(child.key) };
  const creating = Array.from({ length: 6 }, (_, index) =>
    createApiKey(ctx, { name: `Grandchild ${index}` }, byChild).catch((error: unknown) => error),
  );
  const [, ...grandchildren] = await Promise.all([revokeApiKey(ctx, parent), ...creating]);
  for (const made of [child, ...grandchildren]) {
    if (made instanceof Error) expect(made).toMatchObject({ code: 'conflict' });
    else
      await expect(authenticate((made as { key: string }).key)).rejects.toMatchObject(refusal('was revoked'));
  }
  await expect(createApiKey(ctx, { name: 'Late' }, by)).rejects.toMatchObject({ code: 'conflict' });
});

test.each(KEY_SCOPES)('a key with the scope %s includes the scopes before it, and no other', (scope) => {
  const included = KEY_SCOPES.filter((needed) => hasScope(scope, needed));
  expect(included).toEqual(KEY_SCOPES.slice(0, KEY_SCOPES.indexOf(scope) + 1));
});

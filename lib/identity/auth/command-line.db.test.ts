import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberships, users, userSessions } from '#lib/identity/schema/accounts.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { addOwner } from './create-account.ts';
import { verifyPassword } from './password.ts';
import { resetPassword } from './password-reset.ts';
import { startSession } from './user-sessions.ts';

let world: TestContext;
beforeAll(async () => {
  world = await createTestContext();
});
afterAll(() => world.end());

const audited = async (): Promise<string[]> =>
  (await listAuditEntries(world.ctx, { limit: 50 })).data.map(({ actorName, action, targetName }) =>
    [actorName, action, targetName].join(' '),
  );

test('the first owner has a new account; making it again changes neither account nor password', async () => {
  const { db } = world.ctx;
  expect(await addOwner(db, { email: 'owner@example.com', password: 'first password' })).toEqual({
    isNew: true,
  });
  expect(await addOwner(db, { email: 'owner@example.com', password: 'other password' })).toEqual({
    isNew: false,
  });
  const [user, ...others] = await db.select().from(users);
  expect(others).toEqual([]);
  expect(await verifyPassword('first password', user?.passwordHash ?? null)).toBe(true);
  expect(await db.select().from(memberships)).toMatchObject([
    { role: 'owner', workspaceId: world.ctx.workspaceId },
  ]);
  expect(await audited()).toContain('Command line owner.added owner@example.com');
});

test('a member of a lower role becomes an owner', async () => {
  const { db } = world.ctx;
  await db.update(memberships).set({ role: 'viewer' });
  await addOwner(db, { email: 'owner@example.com', password: 'unused password' });
  expect(await db.select().from(memberships)).toMatchObject([{ role: 'owner' }]);
});

test('a new password ends every session, and the audit log says who set it', async () => {
  const { db } = world.ctx;
  const [user] = await db.select().from(users);
  await startSession(db, user?.id ?? '', { signedInBy: 'password' });
  await startSession(db, user?.id ?? '', { signedInBy: 'password' });
  expect(await resetPassword(db, { email: 'owner@example.com', password: 'second password' })).toEqual({
    endedSessions: 2,
  });
  expect(await db.select().from(userSessions)).toEqual([]);
  const [changed] = await db.select().from(users);
  expect(await verifyPassword('second password', changed?.passwordHash ?? null)).toBe(true);
  expect(await audited()).toContain('Command line password.reset owner@example.com');
});

test('an address that nobody has is named, and nothing changes', async () => {
  const before = await audited();
  await expect(
    resetPassword(world.ctx.db, { email: 'nobody@example.com', password: 'some password' }),
  ).rejects.toThrow('nobody@example.com');
  expect(await audited()).toEqual(before);
});

import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signInWithIdentity } from '#lib/identity/auth/sign-in-with-identity.ts';
import { createInvitation } from '#lib/identity/members/invitations.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { auditEntries, memberships, users } from '#lib/identity/schema/accounts.ts';
import { breakGlassOwners, signInPolicy } from '#lib/identity/schema/sign-in.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { explainNoAccess, findGroupAccess, listKnownGroups, setGroupAccess } from './group-access.ts';
import { newId } from '#lib/core/ids.ts';

let world: TestContext;
let keeperId: string;
let count = 0;

const access = {
  groupRoles: [
    { group: 'admins', role: 'owner' as const },
    { group: 'builders', role: 'editor' as const },
    { group: 'staff', role: 'viewer' as const },
  ],
  defaultRole: null,
};

beforeAll(async () => {
  world = await createTestContext();
});
beforeEach(async () => {
  const { ctx } = world;
  await ctx.db.delete(memberships);
  await ctx.db.delete(signInPolicy);
  keeperId = await join('owner', 'hash');
  await setGroupAccess(ctx, access);
});
afterAll(() => world.end());

/** A user with an account in the workspace. */
async function join(role: Role, passwordHash: string | null = null): Promise<string> {
  const { ctx } = world;
  const id = newId();
  await ctx.db.insert(users).values({ id, email: `user${count++}@example.com`, passwordHash });
  await ctx.db.insert(memberships).values({ workspaceId: ctx.workspaceId, userId: id, role });
  return id;
}

/** Signs in with the identity provider; the first time, the account is linked by its address. */
async function signIn(email: string, groups: string[] | null): Promise<string> {
  const identity = {
    issuer: 'https://id.example',
    subject: email,
    email,
    emailVerified: true,
    mayBecomeOwner: false,
  };
  return (await signInWithIdentity(world.ctx.db, { ...identity, groups })).id;
}
async function emailOf(id: string): Promise<string> {
  const [user] = await world.ctx.db.select().from(users).where(eq(users.id, id));
  return user?.email ?? '';
}
async function roleOf(id: string, workspaceId = world.ctx.workspaceId): Promise<Role | undefined> {
  const [row] = await world.ctx.db
    .select()
    .from(memberships)
    .where(and(eq(memberships.userId, id), eq(memberships.workspaceId, workspaceId)));
  return row?.role;
}
async function lastEntries(id: string) {
  const rows = await world.ctx.db.select().from(auditEntries).where(eq(auditEntries.targetId, id));
  return rows.map(({ action, actorName, targetName }) => [action, actorName, targetName]);
}

test('groups let somebody join, raise and lower the role, and take the access, each time with old and new role in the audit log', async () => {
  const email = 'anna@example.com';
  const id = await signIn(email, ['staff', 'other']);
  expect(await roleOf(id)).toBe('viewer');
  await signIn(email, ['staff', 'admins']);
  expect(await roleOf(id)).toBe('owner');
  await signIn(email, ['builders']);
  expect(await roleOf(id)).toBe('editor');
  await signIn(email, ['builders']);
  await signIn(email, []);
  expect(await roleOf(id)).toBeUndefined();
  expect(await lastEntries(id)).toEqual([
    ['member.joined', 'Identity provider', `${email}: no access → Viewer (group staff)`],
    ['member.role_changed', 'Identity provider', `${email}: Viewer → Owner (group admins)`],
    ['member.role_changed', 'Identity provider', `${email}: Owner → Editor (group builders)`],
    ['member.removed', 'Identity provider', `${email}: Editor → no access (in no group of the list)`],
  ]);
  expect(await explainNoAccess(world.ctx.db, id)).toEqual({ accessContact: '', groups: [] });
});

test('a provider that tells no groups leaves nobody with access', async () => {
  const id = await join('editor');
  await signIn(await emailOf(id), null);
  expect(await roleOf(id)).toBeUndefined();
  expect(await explainNoAccess(world.ctx.db, id)).toMatchObject({ groups: null });
});

test('groups that did not fit into the token refuse the sign-in and take nothing, unless groups decide nothing', async () => {
  const { ctx } = world;
  const id = await join('editor');
  const identity = {
    issuer: 'https://id.example',
    subject: `too-many-${id}`,
    email: await emailOf(id),
    emailVerified: true,
    groups: null,
    hasTooManyGroups: true,
    mayBecomeOwner: false,
  };
  await expect(signInWithIdentity(ctx.db, identity)).rejects.toMatchObject({ problem: 'too_many_groups' });
  expect(await roleOf(id)).toBe('editor');
  await setGroupAccess(ctx, null);
  expect(await signInWithIdentity(ctx.db, identity)).toEqual({ id });
});

test('the last owner stays an owner; with another one, groups decide', async () => {
  const email = await emailOf(keeperId);
  await signIn(email, ['staff']);
  expect(await roleOf(keeperId)).toBe('owner');
  await join('owner');
  await signIn(email, ['staff']);
  expect(await roleOf(keeperId)).toBe('viewer');
});

test('two owners who lose their groups at the same moment do not leave the workspace without one', async () => {
  const other = await join('owner');
  await Promise.all([signIn(await emailOf(keeperId), []), signIn(await emailOf(other), [])]);
  expect([await roleOf(keeperId), await roleOf(other)].sort()).toEqual(['owner', undefined]);
});

test('where the identity provider is required, an owner who only has a password does not count as the other one', async () => {
  const { db } = world.ctx;
  await db.insert(signInPolicy).values({ requiresIdentity: true });
  const identityOwner = await join('owner');
  await signIn(await emailOf(identityOwner), []);
  expect(await roleOf(identityOwner)).toBe('owner');
  await db.insert(breakGlassOwners).values({ userId: keeperId });
  await signIn(await emailOf(identityOwner), []);
  expect(await roleOf(identityOwner)).toBeUndefined();
});

test('a break-glass owner stays an owner whatever the groups say', async () => {
  await join('owner');
  await world.ctx.db.insert(breakGlassOwners).values({ userId: keeperId });
  await signIn(await emailOf(keeperId), []);
  expect(await roleOf(keeperId)).toBe('owner');
});

test('workspaces without groups are left alone; everybody else gets the default role', async () => {
  const { ctx, stranger } = world;
  const id = await join('editor');
  await ctx.db.insert(memberships).values({ workspaceId: stranger.workspaceId, userId: id, role: 'editor' });
  await setGroupAccess(ctx, { ...access, defaultRole: 'viewer' });
  await signIn(await emailOf(id), []);
  expect(await roleOf(id)).toBe('viewer');
  expect(await roleOf(id, stranger.workspaceId)).toBe('editor');
  await setGroupAccess(ctx, null);
  await signIn(await emailOf(id), ['admins']);
  expect(await roleOf(id)).toBe('viewer');
  expect(await explainNoAccess(ctx.db, id)).toBeNull();
});

test('what was set is read back, and the groups of members are known after they signed in', async () => {
  const { ctx, stranger } = world;
  expect(await findGroupAccess(ctx)).toEqual(access);
  expect(await findGroupAccess(stranger)).toBeNull();
  expect(await listKnownGroups(ctx)).toEqual([]);
  await signIn('anna@example.com', ['staff']);
  expect(await listKnownGroups(ctx)).toMatchObject([{ email: 'anna@example.com', groups: ['staff'] }]);
});

test('nobody is invited where only groups decide', async () => {
  const invitation = { note: '', role: 'viewer' as const, days: 1 };
  await expect(createInvitation(world.ctx, invitation)).resolves.toBeDefined();
  await world.ctx.db.insert(signInPolicy).values({ requiresIdentity: true });
  await expect(createInvitation(world.ctx, invitation)).rejects.toMatchObject({ code: 'conflict' });
});

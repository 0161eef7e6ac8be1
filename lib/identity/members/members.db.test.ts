import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFirstOwner, createInvitedAccount, isFirstStart } from '#lib/identity/auth/create-account.ts';
import { listMemberships } from '#lib/identity/auth/list-memberships.ts';
import { createSecretBox, type SecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { untilWaiting } from '#lib/testing/until-waiting.ts';
import { createWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { changeRole, leaveWorkspace, listMembers, removeMember } from './members.ts';
import {
  acceptInvitation,
  createInvitation,
  findInvitation,
  listInvitations,
  revokeInvitation,
  useInvitation,
} from './invitations.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import type { Role } from '#lib/identity/roles/roles.ts';

const PASSWORD = 'correct horse battery';

let database: TestDatabase;
let db: Database;
let ownerId: string;
let ctx: { db: Database; workspaceId: string; actor: string; baseUrl: string; secrets: SecretBox };

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  expect(await isFirstStart(db)).toBe(true);
  const claims = await Promise.allSettled([
    createFirstOwner(db, { email: 'owner@example.com', password: PASSWORD }),
    createFirstOwner(db, { email: 'rival@example.com', password: PASSWORD }),
  ]);
  const won = claims.filter((claim) => claim.status === 'fulfilled');
  expect(won).toHaveLength(1);
  ownerId = won[0]?.value.id ?? '';
  const [first] = await listMemberships(db, ownerId);
  ctx = {
    db,
    workspaceId: first?.id ?? '',
    actor: ownerId,
    baseUrl: 'https://patchbay.example',
    secrets: createSecretBox(`k1:${randomBytes(32).toString('base64')}`),
  };
});

afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

async function invite(role: Role, days = 1): Promise<string> {
  const { url } = await createInvitation(ctx, { note: 'somebody', role, days });
  return url.replace('https://patchbay.example/invitations/', '');
}

let number = 0;
async function newMember(role: Role): Promise<string> {
  number += 1;
  const account = { email: `member${number}@example.com`, password: PASSWORD, token: await invite(role) };
  return (await createInvitedAccount(db, account)).id;
}

const roleOf = async (userId: string) =>
  (await listMembers(ctx)).find((member) => member.userId === userId)?.role;

test('the first visitor owns the installation, once', async () => {
  expect(await isFirstStart(db)).toBe(false);
  const again = createFirstOwner(db, { email: 'late@example.com', password: PASSWORD });
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
  expect(await roleOf(ownerId)).toBe('owner');
});

test('an invitation works once, even when two use it at the same time', async () => {
  const token = await invite('viewer');
  expect(await findInvitation(db, token)).toMatchObject({ role: 'viewer' });
  const uses = await Promise.allSettled(
    ['a', 'b'].map((name) =>
      createInvitedAccount(db, { email: `${name}@example.com`, password: PASSWORD, token }),
    ),
  );
  expect(uses.map((use) => use.status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(acceptInvitation(db, { token, userId: ownerId })).rejects.toMatchObject({ code: 'not_found' });
  expect(await findInvitation(db, token)).toBeNull();
});

test('who lost the race for an invitation has no account either', async () => {
  const token = await invite('viewer');
  await acceptInvitation(db, { token, userId: ownerId });
  const late = { email: 'too-late@example.com', password: PASSWORD };
  await expect(createInvitedAccount(db, { ...late, token })).rejects.toMatchObject({ code: 'not_found' });
  await expect(createInvitedAccount(db, { ...late, token: await invite('viewer') })).resolves.toBeDefined();
});

test('an invitation never takes rights away', async () => {
  await acceptInvitation(db, { token: await invite('viewer'), userId: ownerId });
  expect(await roleOf(ownerId)).toBe('owner');
});

test('of two invitations that one person accepts at once, the one with more rights holds', async () => {
  const [more, less] = [await invite('owner'), await invite('viewer')];
  const userId = newId();
  await db.insert(users).values({ id: userId, email: 'twice@example.com' });
  const { second } = await db.transaction(async (tx) => {
    await useInvitation(tx, more, userId);
    const accepting = acceptInvitation(db, { token: less, userId });
    await untilWaiting(db.$client);
    return { second: accepting };
  });
  await second;
  expect(await roleOf(userId)).toBe('owner');
  await removeMember(ctx, { userId });
});

test('an invitation that has ended or was revoked is refused', async () => {
  const ended = await invite('editor', 0);
  expect(await findInvitation(db, ended)).toBeNull();
  const token = await invite('editor');
  const [open] = await listInvitations(ctx);
  await revokeInvitation(ctx, { id: open?.id ?? '' });
  await expect(acceptInvitation(db, { token, userId: ownerId })).rejects.toMatchObject({ code: 'not_found' });
});

test('a workspace keeps an owner: the last one is neither demoted nor removed', async () => {
  await expect(changeRole(ctx, { userId: ownerId, role: 'editor' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(removeMember(ctx, { userId: ownerId })).rejects.toMatchObject({ code: 'conflict' });
});

test('two owners who demote each other at once leave one owner', async () => {
  const other = await newMember('owner');
  const changes = await Promise.allSettled([
    changeRole(ctx, { userId: ownerId, role: 'editor' }),
    changeRole({ ...ctx, actor: other }, { userId: other, role: 'editor' }),
  ]);
  expect(changes.map((change) => change.status).sort()).toEqual(['fulfilled', 'rejected']);
  const owners = (await listMembers(ctx)).filter(({ role }) => role === 'owner');
  expect(owners).toHaveLength(1);
  await changeRole(ctx, { userId: ownerId, role: 'owner' });
});

test('a removed member is in no workspace any more', async () => {
  const userId = await newMember('editor');
  await removeMember(ctx, { userId });
  expect(await listMemberships(db, userId)).toEqual([]);
});

test('who makes a workspace owns it, and it knows nothing of the others', async () => {
  const userId = await newMember('editor');
  const { id } = await createWorkspace(db, { name: 'Side project', userId });
  expect(await listMemberships(db, userId)).toMatchObject([
    { id: ctx.workspaceId, role: 'editor' },
    { id, name: 'Side project', role: 'owner' },
  ]);
  const there = { ...ctx, workspaceId: id };
  expect((await listMembers(there)).map((member) => member.userId)).toEqual([userId]);
  expect((await listAuditEntries(there, { limit: 10 })).data).toMatchObject([
    { action: 'workspace.created', targetName: 'Side project' },
  ]);
});

test('nobody owns workspaces without end, not by asking many times at once either', async () => {
  const userId = await newMember('editor');
  const made = await Promise.allSettled(
    Array.from({ length: 53 }, (_, index) => createWorkspace(db, { name: `Number ${index}`, userId })),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
});

test('a member leaves; of two owners who leave at once one stays', async () => {
  const [first, second, viewer] = [
    await newMember('editor'),
    await newMember('editor'),
    await newMember('viewer'),
  ];
  const { id: workspaceId } = await createWorkspace(db, { name: 'To be left', userId: first });
  await db.insert(memberships).values([
    { workspaceId, userId: second, role: 'owner' },
    { workspaceId, userId: viewer, role: 'viewer' },
  ]);
  const there = { ...ctx, workspaceId };
  await leaveWorkspace(db, { workspaceId, userId: viewer });
  expect((await listAuditEntries(there, { limit: 1 })).data).toMatchObject([{ action: 'member.left' }]);
  const leaving = await Promise.allSettled(
    [first, second].map((userId) => leaveWorkspace(db, { workspaceId, userId })),
  );
  expect(leaving.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await listMembers(there)).toHaveLength(1);
  for (const id of [workspaceId, newId(), 'no id'])
    await expect(leaveWorkspace(db, { workspaceId: id, userId: viewer })).rejects.toMatchObject({
      code: 'not_found',
    });
});

test('members, invitations and records of another workspace are out of reach', async () => {
  const workspaceId = newId();
  await db.insert(workspaces).values({ id: workspaceId, name: 'Other' });
  const other = { ...ctx, workspaceId };
  await invite('viewer');
  const [invitation] = await listInvitations(ctx);
  await expect(revokeInvitation(other, { id: invitation?.id ?? '' })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(changeRole(other, { userId: ownerId, role: 'viewer' })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(removeMember(other, { userId: ownerId })).rejects.toMatchObject({ code: 'not_found' });
  expect(await listMembers(other)).toEqual([]);
  expect(await listInvitations(other)).toEqual([]);
  expect((await listAuditEntries(other, { limit: 10 })).data).toEqual([]);
});

test('the record says who did what, newest first, page by page', async () => {
  const userId = await newMember('viewer');
  await changeRole(ctx, { userId, role: 'editor' });
  const page = await listAuditEntries(ctx, { limit: 2 });
  expect(page.data.map(({ action }) => action)).toEqual(['member.role_changed', 'invitation.accepted']);
  const [email] = (await listMembers(ctx))
    .filter((member) => member.userId === userId)
    .map((member) => member.email);
  expect(page.data[0]).toMatchObject({ targetName: `${email}: Viewer → Editor` });
  expect(page.data[1]?.actorName).toBe(email);
  const next = await listAuditEntries(ctx, { limit: 1, cursor: page.next_cursor ?? '' });
  expect(next.data[0]?.action).toBe('invitation.created');
});

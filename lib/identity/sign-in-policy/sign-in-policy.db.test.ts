import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { createInvitedAccount } from '#lib/identity/auth/create-account.ts';
import { hashPassword } from '#lib/identity/auth/password.ts';
import { requestPasswordReset, usePasswordReset } from '#lib/identity/auth/password-reset.ts';
import { signInWithIdentity } from '#lib/identity/auth/sign-in-with-identity.ts';
import { signInWithPassword } from '#lib/identity/auth/sign-in-with-password.ts';
import { findSessionUser, startSession } from '#lib/identity/auth/user-sessions.ts';
import { changeRole, removeMember } from '#lib/identity/members/members.ts';
import { createInvitation } from '#lib/identity/members/invitations.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { auditEntries, memberships, userIdentities, users } from '#lib/identity/schema/accounts.ts';
import { signInPolicy } from '#lib/identity/schema/sign-in.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { mailBinding, mailContentSchema } from '#lib/mail/queue-mail.ts';
import { mails } from '#lib/mail/schema.ts';
import { getSignInPolicy } from './sign-in-policy.ts';
import { recordBreakGlass } from './record-break-glass.ts';
import { allowPasswords, setSignInPolicy } from './set-sign-in-policy.ts';

const PASSWORD = 'correct horse battery';
const ISSUER = 'https://id.example';
let world: TestContext;
let passwordHash: string;
let count = 0;

beforeAll(async () => {
  world = await createTestContext();
  passwordHash = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  const { db } = world.ctx;
  for (const table of [memberships, signInPolicy, mails, auditEntries, users]) await db.delete(table);
});
afterAll(() => world.end());

interface Person {
  role?: Role;
  hasPassword?: boolean;
  hasIdentity?: boolean;
}

async function add({ role = 'owner', hasPassword = true, hasIdentity = false }: Person = {}) {
  const { db, workspaceId } = world.ctx;
  const person = { id: newId(), email: `user${count++}@example.com` };
  await db.insert(users).values({ ...person, passwordHash: hasPassword ? passwordHash : null });
  await db.insert(memberships).values({ workspaceId, userId: person.id, role });
  if (hasIdentity)
    await db.insert(userIdentities).values({ issuer: ISSUER, subject: person.id, userId: person.id });
  return person;
}

const set = (
  policy: { requiresIdentity?: boolean; breakGlassUserIds?: string[] },
  setting: { issuer?: string | undefined; sessionId?: string } = {},
) =>
  setSignInPolicy(
    world.ctx,
    { requiresIdentity: true, trustsEmails: false, breakGlassUserIds: [], accessContact: '', ...policy },
    { issuer: ISSUER, sessionId: newId(), ...setting },
  );
const signIn = (email: string) =>
  signInWithPassword(world.ctx.db, { email, password: PASSWORD, address: '192.0.2.1' });

test('it cannot be required as long as no owner could sign in', async () => {
  const owner = await add();
  await expect(set({})).rejects.toMatchObject({ code: 'conflict' });
  await add({ role: 'editor', hasIdentity: true });
  await expect(set({})).rejects.toMatchObject({ code: 'conflict' });
  await expect(set({ breakGlassUserIds: [owner.id] }, { issuer: undefined })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect((await getSignInPolicy(world.ctx.db)).requiresIdentity).toBe(false);
  await set({ breakGlassUserIds: [owner.id] });
  expect((await getSignInPolicy(world.ctx.db)).requiresIdentity).toBe(true);
  await expect(set({ breakGlassUserIds: [] })).rejects.toMatchObject({ code: 'conflict' });
  const other = await add({ hasPassword: false, hasIdentity: true });
  await set({ breakGlassUserIds: [] });
  await expect(signIn(owner.email)).rejects.toMatchObject({ code: 'forbidden' });
  expect(other).toBeDefined();
});

test('an identity of another provider is none', async () => {
  await add({ hasIdentity: true });
  await expect(set({}, { issuer: 'https://other.example' })).rejects.toMatchObject({ code: 'conflict' });
});

test('break-glass owners have a password and own the first workspace, from which alone this is set', async () => {
  const [viewer, without] = [await add({ role: 'viewer' }), await add({ hasPassword: false })];
  for (const { id } of [viewer, without, { id: newId() }])
    await expect(set({ breakGlassUserIds: [id] })).rejects.toMatchObject({
      code: 'invalid_request',
      problems: [{ path: 'breakGlassUserIds' }],
    });
  const input = { requiresIdentity: false, trustsEmails: false, breakGlassUserIds: [], accessContact: '' };
  const setting = { issuer: ISSUER, sessionId: newId() };
  await expect(setSignInPolicy(world.stranger, input, setting)).rejects.toMatchObject({ code: 'forbidden' });
});

test('passwords are for break-glass owners only, wrong ones get the same answer as ever', async () => {
  const [owner, member] = [await add(), await add({ role: 'editor' })];
  await set({ breakGlassUserIds: [owner.id] });
  await expect(signIn(owner.email)).resolves.toMatchObject({ id: owner.id });
  await expect(signIn(member.email)).rejects.toMatchObject({ code: 'forbidden' });
  const wrong = { email: member.email, password: 'wrong', address: '192.0.2.1' };
  await expect(signInWithPassword(world.ctx.db, wrong)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await allowPasswords(world.ctx.db)).toEqual({ wereOff: true });
  await expect(signIn(member.email)).resolves.toMatchObject({ id: member.id });
});

test('sessions that were made with a password end, those of break-glass owners and one’s own excepted', async () => {
  const [owner, glass, member] = [await add(), await add(), await add({ role: 'editor', hasIdentity: true })];
  const { db } = world.ctx;
  const [own, other, ofGlass, byPassword, byIdentity] = [
    await startSession(db, owner.id, { signedInBy: 'password' }),
    await startSession(db, owner.id, { signedInBy: 'password' }),
    await startSession(db, glass.id, { signedInBy: 'password' }),
    await startSession(db, member.id, { signedInBy: 'password' }),
    await startSession(db, member.id, { signedInBy: 'provider', seconds: 60 }),
  ];
  const changed = await set({ breakGlassUserIds: [glass.id] }, { sessionId: own });
  expect(changed).toEqual({ endedSessions: 2 });
  const left = await Promise.all(
    [own, other, ofGlass, byPassword, byIdentity].map(async (id) => (await findSessionUser(db, id)) !== null),
  );
  expect(left).toEqual([true, false, true, false, true]);
});

test('an invitation makes no account with a password, and joins one that signs in with the provider', async () => {
  const owner = await add();
  await set({ breakGlassUserIds: [owner.id] });
  const { url } = await createInvitation(world.ctx, { note: '', role: 'viewer', days: 1 });
  const token = url.split('/').at(-1) ?? '';
  const account = { email: 'new@example.com', password: PASSWORD, token };
  await expect(createInvitedAccount(world.ctx.db, account)).rejects.toMatchObject({ code: 'forbidden' });
});

test('only break-glass owners get links for a new password, and older links of others are of no use', async () => {
  const [owner, member] = [await add(), await add({ role: 'editor' })];
  const { ctx } = world;
  const request = (email: string) => requestPasswordReset(ctx, { email, address: '192.0.2.9' });
  await request(member.email);
  const [mail] = await ctx.db.select().from(mails);
  const content = mailContentSchema.parse(
    JSON.parse(ctx.secrets.open(mail?.content ?? '', mailBinding(mail?.id ?? ''))),
  );
  const token = /reset-password\/([\w-]+)/.exec(content.text)?.[1] ?? '';
  await set({ breakGlassUserIds: [owner.id] });
  await expect(usePasswordReset(ctx.db, { token, password: PASSWORD })).rejects.toMatchObject({
    code: 'not_found',
  });
  await ctx.db.delete(mails);
  await request(member.email);
  expect(await ctx.db.select().from(mails)).toEqual([]);
  await request(owner.email);
  expect(await ctx.db.select().from(mails)).toMatchObject([{ recipient: owner.email }]);
});

test('a break-glass sign-in is in the audit log, and the other owners are told by mail', async () => {
  const [owner, other] = [await add(), await add({ hasPassword: false })];
  await add({ role: 'editor' });
  const record = () =>
    recordBreakGlass(
      { ...world.ctx, canMail: true },
      { userId: owner.id, address: '192.0.2.7', with: 'a password' },
    );
  await record();
  expect(await world.ctx.db.select().from(mails)).toEqual([]);
  await set({ breakGlassUserIds: [owner.id] });
  await record();
  expect(await world.ctx.db.select().from(mails)).toMatchObject([
    { recipient: other.email, kind: 'break_glass' },
  ]);
  expect(
    await world.ctx.db.select().from(auditEntries).where(eq(auditEntries.action, 'break_glass.signed_in')),
  ).toMatchObject([{ actorId: owner.id, targetName: `${owner.email} from 192.0.2.7` }]);
});

test('the last owner who can sign in is neither removed nor demoted', async () => {
  const [glass, other] = [await add(), await add()];
  await set({ breakGlassUserIds: [glass.id] });
  await expect(removeMember(world.ctx, { userId: glass.id })).rejects.toMatchObject({ code: 'conflict' });
  await expect(changeRole(world.ctx, { userId: glass.id, role: 'editor' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await signInWithIdentity(world.ctx.db, {
    issuer: ISSUER,
    subject: 'other',
    email: other.email,
    emailVerified: true,
    groups: null,
    mayBecomeOwner: false,
  });
  await changeRole(world.ctx, { userId: glass.id, role: 'editor' });
  await expect(signIn(glass.email)).rejects.toMatchObject({ code: 'forbidden' });
});

// Identity providers that do not say whether an email address is verified, such as Microsoft Entra ID.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { acceptInvitation, createInvitation } from '#lib/identity/members/invitations.ts';
import {
  auditEntries,
  memberships,
  userIdentities,
  users,
  userSessions,
} from '#lib/identity/schema/accounts.ts';
import { signInPolicy } from '#lib/identity/schema/sign-in.ts';
import { setSignInPolicy } from '#lib/identity/sign-in-policy/set-sign-in-policy.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { listMemberships } from './list-memberships.ts';
import { signInWithIdentity } from './sign-in-with-identity.ts';

const ISSUER = 'https://id.example';
let world: TestContext;
let member: { id: string; email: string };
let count = 0;

beforeAll(async () => {
  world = await createTestContext();
});
beforeEach(async () => {
  const { db, workspaceId } = world.ctx;
  await db.delete(signInPolicy);
  await db.delete(auditEntries);
  member = { id: newId(), email: `member${count++}@example.com` };
  await db.insert(users).values(member);
  await db.insert(memberships).values({ workspaceId, userId: member.id, role: 'owner' });
});
afterAll(() => world.end());

const trust = (trustsEmails: boolean, issuer: string | undefined = ISSUER) =>
  setSignInPolicy(
    world.ctx,
    { requiresIdentity: false, trustsEmails, breakGlassUserIds: [], accessContact: '' },
    { issuer, sessionId: newId() },
  );
const signIn = (email: string, emailVerified: boolean | null, issuer = ISSUER) =>
  signInWithIdentity(world.ctx.db, {
    issuer,
    subject: `subject-${count++}`,
    email,
    emailVerified,
    groups: null,
    mayBecomeOwner: false,
  });

test('by default such an address opens no account that exists, and the refusal says who can change that', async () => {
  await expect(signIn(member.email, null)).rejects.toMatchObject({
    problem: 'email_not_confirmed',
    message: expect.stringContaining('Settings → Sign-in') as string,
  });
  const { db } = world.ctx;
  expect(await db.select().from(userIdentities).where(eq(userIdentities.userId, member.id))).toEqual([]);
});

test('where the provider is trusted it opens the account, and the audit log says why', async () => {
  await trust(true);
  expect(await signIn(member.email.toUpperCase(), null)).toEqual({ id: member.id });
  const entries = await world.ctx.db.select().from(auditEntries).where(eq(auditEntries.targetId, member.id));
  expect(entries).toMatchObject([
    {
      actorName: 'Identity provider',
      action: 'account.identity_linked',
      targetName: `${member.email} (addresses of the provider are trusted)`,
    },
  ]);
});

test('an address that the provider calls unverified opens no account, trusted or not', async () => {
  for (const trusted of [false, true]) {
    await trust(trusted);
    await expect(signIn(member.email, false)).rejects.toMatchObject({ problem: 'email_unverified' });
  }
});

test('a verified address opens the account without trust, and the audit log says why', async () => {
  expect(await signIn(member.email, true)).toEqual({ id: member.id });
  const [entry] = await world.ctx.db.select().from(auditEntries).where(eq(auditEntries.targetId, member.id));
  expect(entry?.targetName).toBe(`${member.email} (address verified by the provider)`);
});

test('trust belongs to one provider: another issuer has none', async () => {
  await trust(true);
  await expect(signIn(member.email, null, 'https://other.example')).rejects.toMatchObject({
    problem: 'email_not_confirmed',
  });
});

test('without a provider there is nobody to trust', async () => {
  const { ctx } = world;
  const policy = { requiresIdentity: false, breakGlassUserIds: [], accessContact: '' };
  const setting = { issuer: undefined, sessionId: newId() };
  await expect(setSignInPolicy(ctx, { ...policy, trustsEmails: true }, setting)).rejects.toMatchObject({
    code: 'conflict',
  });
  await setSignInPolicy(ctx, { ...policy, trustsEmails: false }, setting);
});

test('what was decided is in the audit log', async () => {
  await trust(true);
  await trust(false);
  const entries = await world.ctx.db.select().from(auditEntries).orderBy(auditEntries.id);
  expect(entries.map(({ targetName }) => targetName)).toEqual([
    `Passwords for everybody; break-glass owners: none; trusted email addresses: all of ${ISSUER}`,
    'Passwords for everybody; break-glass owners: none; trusted email addresses: if verified',
  ]);
});

test('accounts that were linked stay so when trust is taken back', async () => {
  await trust(true);
  const identity = { issuer: ISSUER, subject: 'stays', groups: null, mayBecomeOwner: false };
  const signInAgain = () =>
    signInWithIdentity(world.ctx.db, { ...identity, email: member.email, emailVerified: null });
  await signInAgain();
  await trust(false);
  expect(await signInAgain()).toEqual({ id: member.id });
});

test.each([null, false])(
  'who comes with a verified address takes over the account that was created with it unverified (%s)',
  async (said) => {
    const { db } = world.ctx;
    const [email, subject] = [`taken${count++}@example.com`, `first-${count++}`];
    const first = { issuer: ISSUER, subject, email, groups: null, mayBecomeOwner: false };
    const { id } = await signInWithIdentity(db, { ...first, emailVerified: said });
    const session = { id: newId(), userId: id, expiresAt: new Date(Date.now() + 60_000) };
    await db.insert(userSessions).values(session);

    expect(await signIn(email, true)).toEqual({ id });
    expect(await db.select().from(userSessions).where(eq(userSessions.userId, id))).toEqual([]);
    await expect(signInWithIdentity(db, { ...first, emailVerified: said })).rejects.toMatchObject({
      problem: said === null ? 'email_not_confirmed' : 'email_unverified',
    });
    expect(await signInWithIdentity(db, { ...first, emailVerified: true })).toEqual({ id });
  },
);

test('an account whose address is verified later stays with who created it', async () => {
  const { db } = world.ctx;
  const [email, subject] = [`proven${count++}@example.com`, `first-${count++}`];
  const first = { issuer: ISSUER, subject, email, groups: null, mayBecomeOwner: false };
  const { id } = await signInWithIdentity(db, { ...first, emailVerified: null });
  await signInWithIdentity(db, { ...first, emailVerified: true });
  expect(await signIn(email, true)).toEqual({ id });
  expect(await signInWithIdentity(db, { ...first, emailVerified: null })).toEqual({ id });
});

test('an address that is new here gets its own account, which joins by an invitation', async () => {
  const { ctx } = world;
  const { id } = await signIn('new@example.com', null);
  expect(await listMemberships(ctx.db, id)).toEqual([]);
  const { url } = await createInvitation(ctx, { note: '', role: 'editor', days: 1 });
  await acceptInvitation(ctx.db, { token: url.split('/').at(-1) ?? '', userId: id });
  expect(await listMemberships(ctx.db, id)).toMatchObject([{ id: ctx.workspaceId, role: 'editor' }]);
});

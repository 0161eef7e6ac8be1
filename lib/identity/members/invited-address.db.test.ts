// Invitations for an address, and accounts with an unproven address.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { createInvitedAccount } from '#lib/identity/auth/create-account.ts';
import { listMemberships } from '#lib/identity/auth/list-memberships.ts';
import { requestPasswordReset, usePasswordReset } from '#lib/identity/auth/password-reset.ts';
import { signInWithIdentity } from '#lib/identity/auth/sign-in-with-identity.ts';
import { signInWithPassword } from '#lib/identity/auth/sign-in-with-password.ts';
import { startSession } from '#lib/identity/auth/user-sessions.ts';
import { passwordResets, users, userSessions } from '#lib/identity/schema/accounts.ts';
import { passkeys, recoveryCodes, twoFactor } from '#lib/identity/schema/sign-in.ts';
import { setSignInPolicy } from '#lib/identity/sign-in-policy/set-sign-in-policy.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { mailBinding, mailContentSchema } from '#lib/mail/queue-mail.ts';
import { mails } from '#lib/mail/schema.ts';
import { acceptInvitation, createInvitation, findInvitation, listInvitations } from './invitations.ts';

const PASSWORD = 'correct horse battery';

let world: TestContext;
let email: string;
let count = 0;

beforeAll(async () => {
  world = await createTestContext();
});
beforeEach(async () => {
  await world.ctx.db.delete(mails);
  email = `guest${count++}@example.com`;
});
afterAll(() => world.end());

/** The token of the last mailed link. */
async function mailedToken(page: string): Promise<string> {
  const [mail] = await world.ctx.db.select().from(mails);
  if (!mail?.content) throw new Error('No mail.');
  const opened: unknown = JSON.parse(world.ctx.secrets.open(mail.content, mailBinding(mail.id)));
  const { text } = mailContentSchema.parse(opened);
  return new RegExp(`/${page}/([\\w-]+)`).exec(text)?.[1] ?? '';
}

/** @returns the tokens of the link that is shown and of the one that is mailed */
async function inviteByMail(to = email): Promise<{ shown: string; mailed: string }> {
  const { url } = await createInvitation(world.ctx, { note: '', role: 'editor', days: 1, email: to });
  return { shown: url.split('/').at(-1) ?? '', mailed: await mailedToken('invitations') };
}

async function inviteByLink(): Promise<string> {
  const { url } = await createInvitation(world.ctx, { note: '', role: 'editor', days: 1 });
  return url.split('/').at(-1) ?? '';
}

async function addUser(address: string): Promise<string> {
  const id = newId();
  await world.ctx.db.insert(users).values({ id, email: address });
  return id;
}

const join = (token: string, address = email) =>
  createInvitedAccount(world.ctx.db, { email: address, password: PASSWORD, token });

const comeVerified = (address = email) =>
  signInWithIdentity(world.ctx.db, {
    issuer: 'https://id.example',
    subject: `subject-${count++}`,
    email: address,
    emailVerified: true,
    groups: null,
    mayBecomeOwner: false,
  });

const signIn = (password = PASSWORD) =>
  signInWithPassword(world.ctx.db, { email, password, address: '192.0.2.1', browserId: undefined });

describe('an invitation for an address', () => {
  test('is shown with it, and so in the list', async () => {
    const { shown, mailed } = await inviteByMail();
    for (const token of [shown, mailed])
      expect(await findInvitation(world.ctx.db, token)).toMatchObject({ email });
    expect((await listInvitations(world.ctx))[0]).toMatchObject({ email });
    expect(await findInvitation(world.ctx.db, await inviteByLink())).toMatchObject({ email: null });
  });

  test.each(['shown', 'mailed'] as const)('makes no account for another address (%s link)', async (link) => {
    const token = (await inviteByMail())[link];
    const refused = { code: 'forbidden', message: expect.stringContaining(email) as string };
    await expect(join(token, 'somebody@example.com')).rejects.toMatchObject(refused);
    expect(await findInvitation(world.ctx.db, token)).not.toBeNull();
    await expect(join(token)).resolves.toBeDefined();
  });

  test('is not accepted by an account with another address, and by the right one it is', async () => {
    const { db, workspaceId } = world.ctx;
    const { mailed } = await inviteByMail();
    const other = await addUser(`other${count++}@example.com`);
    await expect(acceptInvitation(db, { token: mailed, userId: other })).rejects.toMatchObject({
      code: 'forbidden',
      message: `This invitation is for ${email}. Sign in with that address to accept it.`,
    });
    expect(await listMemberships(db, other)).toEqual([]);
    const right = await addUser(email);
    await acceptInvitation(db, { token: mailed, userId: right });
    expect(await listMemberships(db, right)).toMatchObject([{ id: workspaceId, role: 'editor' }]);
  });

  test('works once, with either link', async () => {
    const { shown, mailed } = await inviteByMail();
    await join(mailed);
    expect(await findInvitation(world.ctx.db, shown)).toBeNull();
  });
});

describe('whoever comes with the address verified by the identity provider', () => {
  test('shares an account that was made by the mailed link', async () => {
    const { id } = await join((await inviteByMail()).mailed);
    expect(await comeVerified()).toEqual({ id });
    expect(await signIn()).toMatchObject({ id });
  });

  test('shares one that accepted by the mailed link later', async () => {
    const { id } = await join(await inviteByLink());
    await acceptInvitation(world.ctx.db, { token: (await inviteByMail()).mailed, userId: id });
    await comeVerified();
    expect(await signIn()).toMatchObject({ id });
  });

  test.each(['shown to the inviter', 'for any address'])(
    'takes over one that was made by a link %s: nobody else signs in to it any more',
    async (link) => {
      const { db } = world.ctx;
      const token = link === 'for any address' ? await inviteByLink() : (await inviteByMail()).shown;
      const { id } = await join(token);
      await startSession(db, id, { signedInBy: 'password' });
      await addWaysIn(id);
      await requestReset();

      expect(await comeVerified()).toEqual({ id });
      await expect(signIn()).rejects.toMatchObject({ code: 'unauthorized' });
      for (const table of [userSessions, passkeys, twoFactor, recoveryCodes, passwordResets])
        expect(await db.select().from(table).where(eq(table.userId, id))).toEqual([]);
    },
  );

  test('shares one whose owner the installation names as break-glass owner', async () => {
    const { ctx } = world;
    const { url } = await createInvitation(ctx, { note: '', role: 'owner', days: 1 });
    const { id } = await join(url.split('/').at(-1) ?? '');
    const policy = { requiresIdentity: false, trustsEmails: false, accessContact: '' };
    await setSignInPolicy(
      ctx,
      { ...policy, breakGlassUserIds: [id] },
      { issuer: 'https://id.example', sessionId: null },
    );
    await comeVerified();
    expect(await signIn()).toMatchObject({ id });
  });
});

describe('a password that is reset by mail', () => {
  test('shows that the address is theirs, and deletes passkeys that somebody else may have added', async () => {
    const { db } = world.ctx;
    const { id } = await join(await inviteByLink());
    await addWaysIn(id);
    await reset('another good password');
    expect(await db.select().from(passkeys).where(eq(passkeys.userId, id))).toEqual([]);
    // Mail alone must not open an account that has a second factor.
    expect(await db.select().from(twoFactor).where(eq(twoFactor.userId, id))).toHaveLength(1);
    await comeVerified();
    expect(await signIn('another good password')).toMatchObject({ id });
  });

  test('leaves the passkeys of an account whose address is known to be theirs', async () => {
    const { id } = await join((await inviteByMail()).mailed);
    await addWaysIn(id);
    await world.ctx.db.delete(mails);
    await reset('another good password');
    expect(await world.ctx.db.select().from(passkeys).where(eq(passkeys.userId, id))).toHaveLength(1);
  });
});

async function addWaysIn(userId: string): Promise<void> {
  const { db } = world.ctx;
  await db.insert(passkeys).values({
    id: newId(),
    userId,
    name: 'Laptop',
    credentialId: Buffer.from(newId()),
    publicKey: Buffer.from('key'),
    counter: 0,
    rpId: 'patchbay.example',
  });
  await db.insert(twoFactor).values({ userId, secret: 'sealed', confirmedAt: new Date() });
  await db.insert(recoveryCodes).values({ userId, codeHash: Buffer.from('hash') });
}

async function requestReset(): Promise<void> {
  await world.ctx.db.delete(mails);
  await requestPasswordReset(world.ctx, { email, address: '192.0.2.1' });
}

async function reset(password: string): Promise<void> {
  await requestReset();
  await usePasswordReset(world.ctx.db, { token: await mailedToken('reset-password'), password });
}

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { passwordResets, users, userSessions } from '#lib/identity/schema/accounts.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { mailBinding, mailContentSchema } from '#lib/mail/queue-mail.ts';
import { mails } from '#lib/mail/schema.ts';
import { createFirstOwner } from './create-account.ts';
import { verifyPassword } from './password.ts';
import { requestPasswordReset, findPasswordReset, usePasswordReset } from './password-reset.ts';
import { startSession } from './user-sessions.ts';

const email = 'owner@example.com';
const password = 'another long password';

let world: TestContext;
let userId: string;
beforeAll(async () => {
  world = await createTestContext();
  userId = (await createFirstOwner(world.ctx.db, { email, password: 'correct horse battery' })).id;
});
afterAll(() => world.end());

let callers = 0;
/** Requests from a new address, with cleared limits. @returns the token in the mail; null: no mail */
async function ask(of: string): Promise<string | null> {
  const { db, secrets } = world.ctx;
  await db.$client.query('delete from sign_in_limits');
  await db.delete(mails);
  await requestPasswordReset(world.ctx, { email: of, address: `192.0.2.${++callers}` });
  const [mail] = await db.select().from(mails);
  if (!mail) return null;
  expect(mail.recipient).toBe(of);
  const opened: unknown = JSON.parse(secrets.open(mail.content ?? '', mailBinding(mail.id)));
  return /reset-password\/([\w-]+)/.exec(mailContentSchema.parse(opened).text)?.[1] ?? null;
}

test('a mailed link sets a password once, ends all sessions and other links, and is recorded', async () => {
  const { db } = world.ctx;
  await startSession(db, userId, { signedInBy: 'password' });
  const [first, second] = [(await ask(email)) ?? '', (await ask(email)) ?? ''];
  expect(await findPasswordReset(db, first)).toEqual({ email });
  await usePasswordReset(db, { token: first, password });
  const [user] = await db.select().from(users);
  expect(await verifyPassword(password, user?.passwordHash ?? null)).toBe(true);
  expect(await db.select().from(userSessions)).toEqual([]);
  for (const token of [first, second])
    await expect(usePasswordReset(db, { token, password })).rejects.toThrow('already used or has expired');
  const { data } = await listAuditEntries(world.ctx, { limit: 50 });
  expect(data[0]).toMatchObject({ action: 'password.reset', actorName: email, targetName: email });
});

test('of two that use a link at once, one is refused', async () => {
  const token = (await ask(email)) ?? '';
  const used = await Promise.allSettled(
    [1, 2].map(() => usePasswordReset(world.ctx.db, { token, password })),
  );
  expect(used.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a link that has expired is refused, and its token is kept nowhere', async () => {
  const { db } = world.ctx;
  const token = (await ask(email)) ?? '';
  expect(JSON.stringify(await db.select().from(passwordResets))).not.toContain(token);
  await db.update(passwordResets).set({ expiresAt: new Date(Date.now() - 1) });
  expect(await findPasswordReset(db, token)).toBeNull();
  await expect(usePasswordReset(db, { token, password })).rejects.toThrow('expired');
});

test('no mail goes to unknown addresses and to accounts of the identity provider', async () => {
  const { db } = world.ctx;
  expect(await ask('nobody@example.com')).toBeNull();
  const [user] = await db.select().from(users);
  await db.update(users).set({ passwordHash: null }).where(eq(users.id, userId));
  expect(await ask(email)).toBeNull();
  await db.update(users).set({ passwordHash: user?.passwordHash ?? null });
});

test.each([email, 'nobody@example.com'])('the fourth request in an hour for %s is refused', async (of) => {
  const { db } = world.ctx;
  await db.$client.query('delete from sign_in_limits');
  const request = () => requestPasswordReset(world.ctx, { email: of, address: `198.51.100.${++callers}` });
  await Promise.all([request(), request(), request()]);
  await expect(request()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('one network may not ask for many accounts', async () => {
  await world.ctx.db.$client.query('delete from sign_in_limits');
  const request = (number: number) =>
    requestPasswordReset(world.ctx, { email: `nobody${number}@example.com`, address: `2001:db8::${number}` });
  await Promise.all(Array.from({ length: 20 }, (_, number) => request(number + 1)));
  await expect(request(99)).rejects.toMatchObject({ code: 'rate_limited' });
});

import type { AccountContext } from '#lib/identity/context.ts';
import { eq, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { changePassword, resetPassword } from '#lib/identity/auth/password-reset.ts';
import type { SecondStep } from '#lib/identity/auth/second-step-provider.ts';
import { findSessionUser, startSession } from '#lib/identity/auth/user-sessions.ts';
import { signInLimits, users, userSessions } from '#lib/identity/schema/accounts.ts';
import { recoveryCodes, signInChallenges, twoFactor } from '#lib/identity/schema/sign-in.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { mails } from '#lib/mail/schema.ts';
import { makePasswordQuick } from '#lib/identity/testing/quick-password.ts';
import type { AccountSession } from './context.ts';
import { findTwoFactor } from './find-two-factor.ts';
import {
  confirmSetUp,
  removeTwoFactor,
  renewRecoveryCodes,
  startSetUp,
  switchOff,
} from './change-two-factor.ts';
import { finishSecondStep, startSecondStep } from './second-step.ts';

const password = 'correct horse battery';
const email = 'owner@example.com';

const STEP_MS = 30_000;

let world: TestContext;
let ctx: AccountContext;
let userId: string;
let session: AccountSession;
/** Of the account's app. */
let key: string;
let codes: string[];

/** The app's code this many steps from now. */
const codeIn = (steps: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(key), timestamp: Date.now() + steps * STEP_MS });

beforeAll(async () => {
  // The clock is in the middle of a step, so that no code expires while a test uses it.
  const now = Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2;
  vi.useFakeTimers({ toFake: ['Date'], now });
  world = await createTestContext();
  ctx = { db: world.ctx.db, secrets: world.ctx.secrets, canMail: true };
  userId = (await createFirstOwner(ctx.db, { email, password })).id;
  await makePasswordQuick(ctx.db.$client, { email, password });
});
afterAll(async () => {
  vi.useRealTimers();
  await world.end();
});

beforeEach(async () => {
  await ctx.db.delete(twoFactor);
  await ctx.db.delete(recoveryCodes);
  await ctx.db.delete(signInLimits);
  await ctx.db.delete(mails);
  await ctx.db.delete(userSessions);
  const sessionId = await startSession(ctx.db, userId, { signedInBy: 'password' });
  session = { id: userId, email, sessionId };
  ({ key } = await startSetUp(ctx, session, { password }));
  codes = (await confirmSetUp(ctx, session, { code: codeIn(-1) })).recoveryCodes;
});

const lastActions = async (count: number): Promise<string[]> =>
  (await listAuditEntries(world.ctx, { limit: count })).data.map(({ action }) => action);
const subjects = async (): Promise<string[]> =>
  (await ctx.db.select().from(mails)).map(({ subject }) => subject);

/** Right password, then a code. */
async function signIn(code: string, more: Partial<SecondStep> = {}): Promise<unknown> {
  const token = (await startSecondStep(ctx.db, userId)) ?? '';
  return finishSecondStep(ctx, {
    token,
    code,
    address: '192.0.2.1',
    browserIdOf: () => undefined,
    ...more,
  });
}

describe('setting up', () => {
  test('stores the key sealed and recovery codes hashed, ends other sessions, and is recorded', async () => {
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    const stored = JSON.stringify([
      await ctx.db.select().from(twoFactor),
      (await ctx.db.select().from(recoveryCodes)).map(({ codeHash }) => codeHash.toString('latin1')),
    ]);
    for (const secret of [key, ...codes]) expect(stored).not.toContain(secret);
    expect(await findTwoFactor(ctx.db, userId)).toMatchObject({ recoveryCodesLeft: 10 });
    expect(await lastActions(1)).toEqual(['two_factor.enabled']);
  });

  test('needs the password, changes nothing before the first right code, and happens once', async () => {
    await ctx.db.delete(twoFactor);
    const other = await startSession(ctx.db, userId, { signedInBy: 'password' });
    await expect(startSetUp(ctx, session, { password: 'wrong' })).rejects.toMatchObject({
      problems: [{ path: 'password' }],
    });
    ({ key } = await startSetUp(ctx, session, { password }));
    expect(await findTwoFactor(ctx.db, userId)).toBeNull();
    expect(await startSecondStep(ctx.db, userId)).toBeNull();
    await expect(confirmSetUp(ctx, session, { code: codeIn(5) })).rejects.toMatchObject({
      problems: [{ path: 'code' }],
    });
    const confirmed = await Promise.allSettled(
      [1, 2].map(() => confirmSetUp(ctx, session, { code: codeIn(0) })),
    );
    expect(confirmed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await findSessionUser(ctx.db, other)).toBeNull();
    expect(await findSessionUser(ctx.db, session.sessionId)).toMatchObject({ hasTwoFactor: true });
    await expect(startSetUp(ctx, session, { password })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('ends when the key is an hour old', async () => {
    await ctx.db.delete(twoFactor);
    ({ key } = await startSetUp(ctx, session, { password }));
    await ctx.db.update(twoFactor).set({ createdAt: sql`now() - interval '62 minutes'` });
    await expect(confirmSetUp(ctx, session, { code: codeIn(0) })).rejects.toThrow('Start the setup again');
  });

  test('is not for accounts without a password', async () => {
    const [user] = await ctx.db.select().from(users);
    await ctx.db.delete(twoFactor);
    await ctx.db.update(users).set({ passwordHash: null });
    await expect(startSetUp(ctx, session, { password })).rejects.toThrow('has no password');
    await ctx.db.update(users).set({ passwordHash: user?.passwordHash ?? null });
  });
});

describe('the second step', () => {
  test('takes a code of the app once, also when it arrives twice at once', async () => {
    const code = codeIn(0);
    const both = await Promise.allSettled([signIn(code), signIn(code)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(signIn(code)).rejects.toThrow('already used');
  });

  test('takes no code of a step before the last one used', async () => {
    await signIn(codeIn(1));
    await expect(signIn(codeIn(0))).rejects.toThrow('already used');
  });

  test('does not take the code that switched it on', async () => {
    await expect(signIn(codeIn(-1))).rejects.toThrow('already used');
  });

  test('takes each recovery code once, counts them, and mails and records it', async () => {
    const [first = '', second = ''] = codes;
    await signIn(first.toUpperCase().replaceAll('-', ' '));
    await expect(signIn(first)).rejects.toMatchObject({ problems: [{ path: 'code' }] });
    const both = await Promise.allSettled([signIn(second), signIn(second)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await findTwoFactor(ctx.db, userId)).toMatchObject({ recoveryCodesLeft: 8 });
    expect(await lastActions(2)).toEqual(['two_factor.recovery_code_used', 'two_factor.recovery_code_used']);
    expect(await subjects()).toEqual([1, 2].map(() => 'A recovery code was used for your Patchbay account'));
  });

  test('mails nobody where mail is not set up', async () => {
    ctx.canMail = false;
    await signIn(codes[0] ?? '');
    ctx.canMail = true;
    expect(await subjects()).toEqual([]);
  });

  test('uses up its challenge, which stays for another code after a wrong one', async () => {
    const token = (await startSecondStep(ctx.db, userId)) ?? '';
    await expect(signIn('000 00', { token })).rejects.toMatchObject({ code: 'invalid_request' });
    await signIn(codeIn(0), { token });
    await expect(signIn(codeIn(1), { token })).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test.each(['', 'made-up'])('needs a challenge of the server: %j is none', async (token) => {
    await expect(signIn(codeIn(0), { token })).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('ends after ten minutes', async () => {
    const token = (await startSecondStep(ctx.db, userId)) ?? '';
    await ctx.db.update(signInChallenges).set({ expiresAt: sql`now() - interval '1 minute'` });
    await expect(signIn(codeIn(0), { token })).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('of an old password ends with it', async () => {
    const change = { ...world.ctx, actor: userId };
    const ended = [
      () =>
        changePassword(change, {
          userId,
          sessionId: session.sessionId,
          currentPassword: password,
          newPassword: password,
        }),
      () => resetPassword(ctx.db, { email, password }),
    ];
    for (const end of ended) {
      const token = (await startSecondStep(ctx.db, userId)) ?? '';
      await end();
      await expect(signIn(codeIn(0), { token })).rejects.toMatchObject({ code: 'unauthorized' });
      expect(await findTwoFactor(ctx.db, userId)).not.toBeNull();
    }
  });
});

const rateLimited = { code: 'rate_limited' };
const guess = (more: Partial<SecondStep>) => signIn('123 456', more).catch((error: unknown) => error);
const noPauses = () => ctx.db.delete(signInLimits).where(sql`key like 'pause:%'`);

describe('guessing codes', () => {
  test('makes whoever guesses wait, also with a new sign-in and a right password in between', async () => {
    const found: unknown[] = [];
    for (let count = 0; count < 8; count += 1) found.push(await guess({}));
    expect(found.slice(0, 5)).not.toContainEqual(expect.objectContaining(rateLimited));
    expect(found.at(-1)).toMatchObject(rateLimited);
    await expect(signIn(codeIn(0))).rejects.toMatchObject(rateLimited);
    await expect(signIn(codeIn(0), { address: '192.0.2.2' })).resolves.toBeDefined();
  });

  test('from many addresses is over after 30 codes a day; a browser that is known gets in all the same', async () => {
    for (let count = 0; count < 30; count += 1)
      expect(await guess({ address: `198.51.100.${count}` })).toMatchObject({ code: 'invalid_request' });
    expect(await guess({ address: '203.0.113.1' })).toMatchObject(rateLimited);
    await noPauses();
    await expect(signIn(codeIn(0), { address: '203.0.113.2' })).rejects.toMatchObject(rateLimited);
    const known = { browserIdOf: () => 'known' };
    await expect(signIn(codeIn(0), { address: '203.0.113.2', ...known })).resolves.toBeDefined();
  });

  test('of many attempts at once no more are let through than one after the other', async () => {
    const results = await Promise.all(Array.from({ length: 30 }, () => guess({})));
    const tried = results.filter((error) => !(error as { code?: string }).code?.includes('rate_limited'));
    expect(tried.length).toBeLessThanOrEqual(6);
  });

  test('in the settings is limited, too, for each browser', async () => {
    const off = () => switchOff(ctx, session, { password, code: '123456' }).catch((error: unknown) => error);
    const found: unknown[] = [];
    for (let count = 0; count < 8; count += 1) found.push(await off());
    expect(found.at(-1)).toMatchObject(rateLimited);
  });
});

describe('with password and code', () => {
  test('it is switched off, which is recorded and mailed; then the password is enough', async () => {
    await expect(switchOff(ctx, session, { password: 'wrong', code: codeIn(0) })).rejects.toMatchObject({
      problems: [{ path: 'password' }],
    });
    await expect(switchOff(ctx, session, { password, code: 'wrong' })).rejects.toMatchObject({
      problems: [{ path: 'code' }],
    });
    await switchOff(ctx, session, { password, code: codeIn(0) });
    expect(await startSecondStep(ctx.db, userId)).toBeNull();
    expect(await ctx.db.select().from(recoveryCodes)).toEqual([]);
    expect(await lastActions(1)).toEqual(['two_factor.disabled']);
    expect(await subjects()).toEqual(['Two-factor sign-in was turned off for your Patchbay account']);
  });

  test('recovery codes are replaced: the old ones end', async () => {
    const { recoveryCodes: fresh } = await renewRecoveryCodes(ctx, session, { password, code: codeIn(0) });
    await expect(signIn(codes[0] ?? '')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(signIn(fresh[0] ?? '')).resolves.toBeDefined();
  });
});

test('the command line removes it, which is recorded and mailed; password and sessions stay', async () => {
  expect(await removeTwoFactor(ctx, { email })).toEqual({ removed: true });
  expect(await removeTwoFactor(ctx, { email })).toEqual({ removed: false });
  await expect(removeTwoFactor(ctx, { email: 'nobody@example.com' })).rejects.toThrow('nobody@example.com');
  expect(await findTwoFactor(ctx.db, userId)).toBeNull();
  expect(await findSessionUser(ctx.db, session.sessionId)).not.toBeNull();
  const [entry] = (await listAuditEntries(world.ctx, { limit: 1 })).data;
  expect(entry).toMatchObject({ actorName: 'Command line', action: 'two_factor.removed', targetName: email });
  expect(await subjects()).toHaveLength(1);
});

test('a session that was started with the password alone is nobody’s, whatever started it', async () => {
  const start = (signedInBy: 'password' | 'two_factor' | 'provider') =>
    startSession(ctx.db, userId, { signedInBy });
  expect(await findSessionUser(ctx.db, await start('password'))).toBeNull();
  expect(await findSessionUser(ctx.db, await start('two_factor'))).not.toBeNull();
  expect(await findSessionUser(ctx.db, await start('provider'))).not.toBeNull();
  // Like a process of an earlier version during an upgrade.
  const earlier = await start('two_factor');
  await ctx.db.update(userSessions).set({ signedInBy: null }).where(eq(userSessions.id, earlier));
  expect(await findSessionUser(ctx.db, earlier)).toBeNull();
});

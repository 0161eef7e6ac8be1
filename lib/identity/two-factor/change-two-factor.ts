import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import encodeQr from 'qr';
import * as z from 'zod';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { findAccount } from '#lib/identity/accounts.ts';
import { COMMAND_LINE, recordForAccount } from '#lib/identity/audit/record-audit.ts';
import { endOtherSessions } from '#lib/identity/auth/user-sessions.ts';
import type { AccountContext, Transaction } from '#lib/identity/context.ts';
import { enteredCodeSchema, enteredPasswordSchema } from '#lib/identity/members/schema.ts';
import { recoveryCodes, signInChallenges, twoFactor } from '#lib/identity/schema/sign-in.ts';
import { type Account, type AccountSession, totpBinding, warnAccount } from './context.ts';
import { assertPassword, withProof } from './prove.ts';
import { replaceCodes } from './recovery-codes.ts';
import { findTotpStep, makeTotpSecret, totpUri, wrongCode } from './use-code.ts';

// Input of the forms for two-factor sign-in.

const codeSchema = enteredCodeSchema.min(1, 'Enter a code.');

export const startSetUpSchema = z.strictObject({ password: enteredPasswordSchema });
export const confirmSetUpSchema = z.strictObject({ code: codeSchema });
export const proofSchema = z.strictObject({
  password: enteredPasswordSchema.min(1, 'Enter your password.'),
  code: codeSchema,
});

/** How long a new key can be confirmed. */
const SET_UP_MS = 3_600_000;

export interface NewKey {
  /** Base32, for apps without a camera. */
  key: string;
  uri: string;
}

/**
 * Creates a key for an authenticator app. Nothing changes until one of its codes is confirmed.
 * @param password null: it was entered a moment ago, at sign-in
 * @throws AppError `conflict` when there is a second factor already; those of `assertPassword`
 */
export async function startSetUp(
  ctx: AccountContext,
  session: AccountSession,
  { password }: { password: string | null },
): Promise<NewKey> {
  if (password !== null) await assertPassword(ctx, session, password);
  const key = makeTotpSecret();
  const pending = { secret: ctx.secrets.seal(key, totpBinding(session.id)), createdAt: new Date() };
  const made = await ctx.db
    .insert(twoFactor)
    .values({ userId: session.id, ...pending })
    .onConflictDoUpdate({
      target: twoFactor.userId,
      set: pending,
      setWhere: isNull(twoFactor.confirmedAt),
    })
    .returning({ userId: twoFactor.userId });
  if (made.length === 0) throw new AppError('conflict', 'Two-factor sign-in is already on. Reload the page.');
  return { key, uri: totpUri(key, session.email) };
}

/**
 * Turns two-factor sign-in on with the first code of the app, and signs the account out in all other browsers.
 * @returns the recovery codes, which are shown once
 * @throws AppError `invalid_request` at `code`, `conflict` when the key was not created within the last hour
 */
export async function confirmSetUp(
  ctx: AccountContext,
  session: AccountSession,
  { code }: { code: string },
): Promise<{ recoveryCodes: string[] }> {
  const isPending = and(
    eq(twoFactor.userId, session.id),
    isNull(twoFactor.confirmedAt),
    gt(twoFactor.createdAt, new Date(Date.now() - SET_UP_MS)),
  );
  return ctx.db.transaction(async (tx) => {
    const [found] = await tx.select().from(twoFactor).where(isPending).for('update');
    if (!found) throw new AppError('conflict', 'This key can no longer be used. Start the setup again.');
    const secret = ctx.secrets.open(found.secret, totpBinding(session.id));
    const step = findTotpStep(secret, code.replace(/\s/g, ''), Date.now());
    if (step === null)
      throw wrongCode(
        'This code is wrong. Enter the code that your app shows now, and check the clock of your device.',
      );
    await tx
      .update(twoFactor)
      .set({ confirmedAt: sql`now()`, lastStep: step })
      .where(isPending);
    await endOtherSessions(tx, { userId: session.id, sessionId: session.sessionId });
    await recordForAccount(tx, { account: session, actor: session.id, action: 'two_factor.enabled' });
    return { recoveryCodes: await replaceCodes(tx, session.id) };
  });
}

/** ISO/IEC 18004: a margin of four modules. */
const QUIET_MODULES = 4;

/** A QR code as SVG, dark on white in both themes: apps don't read inverted codes. */
export const drawQr = (text: string): string =>
  encodeQr(text, 'svg', { border: QUIET_MODULES }).replace(
    /^<svg[^>]*>/,
    (opening) => `${opening}<rect width="100%" height="100%" fill="#fff"/>`,
  );

const OFF_SUBJECT = 'Two-factor sign-in was turned off for your Patchbay account';

/** Turns two-factor sign-in off. @throws AppError of `withProof` */
export async function switchOff(
  ctx: AccountContext,
  session: AccountSession,
  proof: { password: string; code: string },
): Promise<void> {
  await withProof(ctx, session, proof, async (tx) => {
    await remove(tx, session);
    await recordForAccount(tx, { account: session, actor: session.id, action: 'two_factor.disabled' });
    await warnAccount(tx, ctx, {
      account: session,
      subject: OFF_SUBJECT,
      happened: 'Two-factor sign-in was turned off. From now on the password alone is enough to sign in.',
    });
  });
}

/**
 * Removes the second factor of an account whose owner has lost it: for an administrator of the machine. The password and
 * sessions stay.
 * @param ctx `secrets` are only used where a mail is sent
 * @returns whether there was one
 * @throws AppError `not_found`
 */
export async function removeTwoFactor(
  ctx: { db: Database } & Pick<AccountContext, 'secrets' | 'canMail'>,
  { email }: { email: string },
): Promise<{ removed: boolean }> {
  return ctx.db.transaction(async (tx) => {
    const account = await findAccount(tx, email);
    const removed = await remove(tx, account);
    if (!removed) return { removed };
    await recordForAccount(tx, { account, actor: COMMAND_LINE, action: 'two_factor.removed' });
    await warnAccount(tx, ctx, {
      account,
      subject: OFF_SUBJECT,
      happened: 'An administrator of the installation removed the second factor of your account.',
    });
    return { removed };
  });
}

async function remove(tx: Transaction, { id }: Account): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, id));
  await tx.delete(signInChallenges).where(eq(signInChallenges.userId, id));
  const removed = await tx.delete(twoFactor).where(eq(twoFactor.userId, id)).returning();
  return removed.some(({ confirmedAt }) => confirmedAt !== null);
}

/**
 * Replaces the recovery codes; the old ones become invalid.
 * @returns the new ones, shown once
 * @throws AppError of `withProof`
 */
export async function renewRecoveryCodes(
  ctx: AccountContext,
  session: AccountSession,
  proof: { password: string; code: string },
): Promise<{ recoveryCodes: string[] }> {
  return withProof(ctx, session, proof, async (tx) => {
    await recordForAccount(tx, {
      account: session,
      actor: session.id,
      action: 'two_factor.recovery_codes_created',
    });
    return { recoveryCodes: await replaceCodes(tx, session.id) };
  });
}

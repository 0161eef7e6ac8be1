import { and, eq, isNotNull, lt } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { AppError } from '#lib/core/errors.ts';
import { recordForAccount } from '#lib/identity/audit/record-audit.ts';
import type { AccountContext, Transaction } from '#lib/identity/context.ts';
import { recoveryCodes, twoFactor } from '#lib/identity/schema/sign-in.ts';
import { type Account, totpBinding, warnAccount } from './context.ts';
import { countRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';

/**
 * Uses up a code of an account's app, or one of its recovery codes. Neither is accepted twice, also concurrently. The caller
 * limits attempts.
 * @throws AppError `invalid_request` at `code`; `conflict` when the account has no second factor
 */
export async function useCode(
  tx: Transaction,
  ctx: Pick<AccountContext, 'secrets' | 'canMail'>,
  account: Account,
  code: string,
): Promise<void> {
  const digits = code.replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(digits)) return useTotp(tx, ctx, account.id, digits);
  const [used] = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, account.id), eq(recoveryCodes.codeHash, hashRecoveryCode(code))))
    .returning();
  if (!used) throw wrongCode('This code is wrong or was already used.');
  const left = await countRecoveryCodes(tx, account.id);
  await recordForAccount(tx, { account, actor: account.id, action: 'two_factor.recovery_code_used' });
  await warnAccount(tx, ctx, {
    account,
    subject: 'A recovery code was used for your Patchbay account',
    happened: `Someone used a recovery code instead of the authenticator app. ${left === 1 ? '1 code is' : `${left} codes are`} left.`,
  });
}

async function useTotp(
  tx: Transaction,
  { secrets }: Pick<AccountContext, 'secrets'>,
  userId: string,
  code: string,
): Promise<void> {
  const [found] = await tx
    .select()
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isNotNull(twoFactor.confirmedAt)));
  if (!found) throw new AppError('conflict', 'Two-factor sign-in is off for this account.');
  const step = findTotpStep(secrets.open(found.secret, totpBinding(userId)), code, Date.now());
  if (step === null) throw wrongCode('This code is wrong. Enter the code that your app shows now.');
  const used = await tx
    .update(twoFactor)
    .set({ lastStep: step })
    .where(and(eq(twoFactor.userId, userId), lt(twoFactor.lastStep, step)))
    .returning({ userId: twoFactor.userId });
  if (used.length === 0) throw wrongCode('This code was already used. Wait for the next one.');
}

/** An error at a form's field for the code. */
export const wrongCode = (message: string): AppError =>
  new AppError('invalid_request', message, { problems: [{ path: 'code', message }] });

// Codes of authenticator apps (RFC 6238) with the parameters that all apps support: SHA-1, six digits, 30 seconds.

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Accepted steps of 30 seconds before and after, for clock differences. */
const DRIFT_STEPS = 1;
const ISSUER = 'Patchbay';

/** A new key, in base32. */
export const makeTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The `otpauth:` URI for the QR code. @param account name in the app's list */
export const totpUri = (secret: string, account: string): string => totp(secret, account).toString();

/**
 * The time step of a code.
 * @param at milliseconds since 1970
 * @returns null when it is the code of none of the accepted steps
 */
export function findTotpStep(secret: string, code: string, at: number): number | null {
  // The library throws for six characters that are no digits.
  if (!/^\d{6}$/.test(code)) return null;
  const generator = totp(secret);
  const delta = generator.validate({ token: code, timestamp: at, window: DRIFT_STEPS });
  return delta === null ? null : generator.counter({ timestamp: at }) + delta;
}

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret) });

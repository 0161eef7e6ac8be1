// Ten recovery codes for signing in without the authenticator app: each works once.
import { randomInt } from 'node:crypto';
import { count, eq } from 'drizzle-orm';
import { hashToken } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { recoveryCodes } from '#lib/identity/schema/sign-in.ts';

const RECOVERY_CODES = 10;
/** Without letters that look like digits: 16 of 32 are 80 bits, too many to guess. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
const CHARACTERS = 16;

/** A new code, such as `h3kd-9mva-72rt-xq0c`. */
function makeRecoveryCode(): string {
  const text = Array.from({ length: CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** Hashes a code. People type it in capitals, with spaces or without dashes. */
export const hashRecoveryCode = (code: string): Buffer => hashToken(code.toLowerCase().replace(/[\s-]/g, ''));

/** Replaces all codes of an account. @returns the new ones, which are shown once */
export async function replaceCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashRecoveryCode(code) })));
  return codes;
}

/** Number of unused codes of an account. */
export async function countRecoveryCodes(db: Pick<Database, 'select'>, userId: string): Promise<number> {
  const [found] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  return found?.left ?? 0;
}

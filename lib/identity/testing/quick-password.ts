import { randomBytes, scryptSync } from 'node:crypto';
import type { Pool } from '#lib/core/db/client.ts';

const LOG2_N = 4;

/**
 * Replaces a user's password hash by one of the same password that takes a thousandth of the time: for tests that enter it
 * often. Hashes have their own parameters, so it is checked by the same code.
 */
export async function makePasswordQuick(
  pool: Pool,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 2 ** LOG2_N, r: 8, p: 1 });
  const stored = ['scrypt', LOG2_N, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
  const { rowCount } = await pool.query('update users set password_hash = $2 where email = $1', [
    email,
    stored,
  ]);
  if (rowCount !== 1) throw new Error(`${email} has no account.`);
}

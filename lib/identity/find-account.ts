import { eq } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import type { Transaction } from './context.ts';

/** The account of an email address. @throws AppError `not_found` */
export async function findAccount(tx: Transaction, email: string): Promise<{ id: string; email: string }> {
  const [account] = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(eq(users.email, email));
  if (!account) throw new AppError('not_found', `Nobody has an account with the address ${email}.`);
  return account;
}

import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordForAccount } from '#lib/identity/audit/record-for-account.ts';
import type { AccountContext } from '#lib/identity/context.ts';
import { passkeys } from '#lib/identity/schema/passkeys.ts';
import type { Account } from '#lib/identity/two-factor/context.ts';

/** The error for a missing passkey, or another user's. */
export const noPasskey = (): AppError =>
  new AppError('not_found', 'This passkey was already deleted. Reload the page.');

/** Renames one of the user's own passkeys. @throws AppError `not_found` */
export async function renamePasskey(
  { db }: Pick<AccountContext, 'db'>,
  account: Account,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (!isId(id)) throw noPasskey();
  await db.transaction(async (tx) => {
    const renamed = await tx
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, account.id)))
      .returning();
    if (renamed.length === 0) throw noPasskey();
    await recordForAccount(tx, {
      account,
      actor: account.id,
      action: 'passkey.renamed',
      name: `${name} of ${account.email}`,
    });
  });
}

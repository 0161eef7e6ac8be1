import { eq } from 'drizzle-orm';
import type { Transaction } from '#lib/identity/context.ts';
import { memberships } from '#lib/identity/schema/accounts.ts';
import { recordAudit } from './record-audit.ts';

export interface AccountEntry {
  account: { id: string; email: string };
  actor: string;
  action: string;
  /** What it was done to, where that is a part of the account; left out: the account, by its email address. */
  name?: string | undefined;
}

/** Records in each workspace of an account what was done to it: it belongs to none of them. */
export async function recordForAccount(
  tx: Transaction,
  { account, actor, action, name = account.email }: AccountEntry,
): Promise<void> {
  const workspaces = await tx
    .select({ workspaceId: memberships.workspaceId })
    .from(memberships)
    .where(eq(memberships.userId, account.id));
  for (const { workspaceId } of workspaces)
    await recordAudit({ workspaceId, actor }, tx, action, { id: account.id, name });
}

import { eq } from 'drizzle-orm';
import type { Transaction } from '#lib/identity/context.ts';
import { memberships } from '#lib/identity/schema/accounts.ts';
import { recordAudit } from './record-audit.ts';

export interface AccountEntry {
  account: { id: string; email: string };
  actor: string;
  action: string;
  /** The part of the account that was changed; left out: the account, by its email address. */
  name?: string | undefined;
}

/** Records a change of an account in each of its workspaces, because it belongs to none of them. */
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

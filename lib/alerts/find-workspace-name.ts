import { eq } from 'drizzle-orm';
import type { Transaction } from '#lib/identity/context.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';

/** The name of a workspace, for mails and webhooks; empty if it was deleted. */
export async function findWorkspaceName(tx: Transaction, workspaceId: string): Promise<string> {
  const [row] = await tx
    .select({ name: workspaces.name })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return row?.name ?? '';
}

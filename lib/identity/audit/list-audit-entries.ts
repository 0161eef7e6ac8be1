import type { Context } from '#lib/identity/context.ts';
import { newestOf, type Page, type PageInput, readCursor, toPage } from '#lib/core/db/paging.ts';
import { auditEntries } from '#lib/identity/schema/accounts.ts';

/** An entry of the audit log as the screen shows it. */
export interface AuditEntry {
  id: string;
  at: string;
  actorName: string;
  action: string;
  targetName: string | null;
}

/** What was done in the workspace, newest first. */
export async function listAuditEntries(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { limit, cursor }: PageInput,
): Promise<Page<AuditEntry>> {
  const { where, order } = newestOf({
    key: [[auditEntries.workspaceId, ctx.workspaceId]],
    id: auditEntries.id,
    below: readCursor(cursor),
  });
  const rows = await ctx.db
    .select()
    .from(auditEntries)
    .where(where)
    .orderBy(order)
    .limit(limit + 1);
  return toPage(rows, limit, ({ id, at, actorName, action, targetName }) => ({
    id,
    at: at.toISOString(),
    actorName,
    action,
    targetName,
  }));
}

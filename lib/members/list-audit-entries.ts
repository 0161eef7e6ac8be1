import { and, desc, eq, lt } from 'drizzle-orm';
import { auditEntries } from '#lib/db/schema/accounts.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/workspaces/paging.ts';
import type { AuditEntry } from './schema.ts';

/** What was done in the workspace, newest first. */
export async function listAuditEntries(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { limit, cursor }: PageInput,
): Promise<Page<AuditEntry>> {
  const rows = await ctx.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.workspaceId, ctx.workspaceId), lt(auditEntries.id, readCursor(cursor))))
    .orderBy(desc(auditEntries.id))
    .limit(limit + 1);
  return toPage(rows, limit, ({ id, at, actorName, action, targetName }) => ({
    id,
    at: at.toISOString(),
    actorName,
    action,
    targetName,
  }));
}

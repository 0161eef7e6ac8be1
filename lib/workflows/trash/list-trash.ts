import { and } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import type { Context } from '#lib/identity/context.ts';
import { newestOf } from '#lib/identity/paging/newest-of.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/identity/paging/paging.ts';
import { inTrash } from './in-trash.ts';
import { TRASH_DAYS, type TrashedWorkflow } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The workspace's deleted workflows that can be restored, newest first. */
export async function listTrash(ctx: Context, { limit, cursor }: PageInput): Promise<Page<TrashedWorkflow>> {
  const { where, order } = newestOf({
    key: [[workflows.workspaceId, ctx.workspaceId]],
    id: workflows.id,
    below: readCursor(cursor),
  });
  const { id, name, publishedVersion, deletedAt } = workflows;
  const rows = await ctx.db
    .select({ id, name, publishedVersion, deletedAt })
    .from(workflows)
    .where(and(inTrash(ctx.db, ctx.workspaceId), where))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(rows, limit, (row) => {
    const deletedMs = row.deletedAt?.getTime() ?? 0;
    return {
      id: row.id,
      name: row.name,
      published_version: row.publishedVersion,
      deleted_at: new Date(deletedMs).toISOString(),
      removed_at: new Date(deletedMs + TRASH_DAYS * DAY_MS).toISOString(),
    };
  });
}

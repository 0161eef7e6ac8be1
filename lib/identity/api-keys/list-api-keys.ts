import { and, isNull } from 'drizzle-orm';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import type { Context } from '#lib/identity/context.ts';
import { newestOf } from '#lib/identity/paging/newest-of.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/identity/paging/paging.ts';
import type { ApiKey } from './schema.ts';

/** The workspace's keys that were not revoked, newest first. */
export async function listApiKeys(ctx: Context, { limit, cursor }: PageInput): Promise<Page<ApiKey>> {
  const { where, order } = newestOf({
    key: [[apiKeys.workspaceId, ctx.workspaceId]],
    id: apiKeys.id,
    below: readCursor(cursor),
  });
  const rows = await ctx.db
    .select()
    .from(apiKeys)
    .where(and(where, isNull(apiKeys.revokedAt)))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(rows, limit, (row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  }));
}

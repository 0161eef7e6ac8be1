import { and, eq, isNull, sql } from 'drizzle-orm';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import type { Context } from '#lib/identity/context.ts';
import { newestOf } from '#lib/identity/paging/newest-of.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/identity/paging/paging.ts';
import type { ApiKey } from './schema.ts';
import { toApiKey } from './to-api-key.ts';

/** The workspace's keys that are not revoked, newest first, including expired ones. */
export async function listApiKeys(ctx: Context, { limit, cursor }: PageInput): Promise<Page<ApiKey>> {
  const { where, order } = newestOf({
    key: [[apiKeys.workspaceId, ctx.workspaceId]],
    id: apiKeys.id,
    below: readCursor(cursor),
  });
  const rows = await ctx.db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      prefix: apiKeys.prefix,
      scope: apiKeys.scope,
      createdAt: apiKeys.createdAt,
      createdBy: apiKeys.createdBy,
      makerEmail: users.email,
      makerRole: memberships.role,
      expiresAt: apiKeys.expiresAt,
      hasExpired: sql<boolean | null>`${apiKeys.expiresAt} <= now()`,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(
      memberships,
      and(eq(memberships.workspaceId, apiKeys.workspaceId), eq(memberships.userId, apiKeys.createdBy)),
    )
    .where(and(where, isNull(apiKeys.revokedAt)))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(rows, limit, toApiKey);
}

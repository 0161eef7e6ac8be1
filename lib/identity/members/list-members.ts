import { asc, eq, sql } from 'drizzle-orm';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { twoFactor } from '#lib/identity/schema/two-factor.ts';
import type { Context } from '#lib/identity/context.ts';
import type { Member } from './schema.ts';

/** All members of the workspace, by email address. */
export async function listMembers(ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<Member[]> {
  const rows = await ctx.db
    .select({
      userId: users.id,
      email: users.email,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      hasTwoFactor: sql<boolean>`${twoFactor.confirmedAt} is not null`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(twoFactor, eq(twoFactor.userId, users.id))
    .where(eq(memberships.workspaceId, ctx.workspaceId))
    .orderBy(asc(users.email));
  return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() }));
}

import { asc, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { memberships } from '#lib/identity/schema/accounts.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import type { Role } from '#lib/identity/roles/roles.ts';

export interface Membership {
  id: string;
  name: string;
  role: Role;
  /** Whether customers' numbers are masked. */
  masksNumbers: boolean;
  /** Since when members who sign in with a password need a second factor; null: it is optional. */
  twoFactorRequiredAt: Date | null;
}

/** The workspaces a user is a member of, the oldest membership first. */
export async function listMemberships(db: Database, userId: string): Promise<Membership[]> {
  return db
    .select({
      id: workspaces.id,
      name: workspaces.name,
      role: memberships.role,
      masksNumbers: workspaces.masksNumbers,
      twoFactorRequiredAt: workspaces.twoFactorRequiredAt,
    })
    .from(memberships)
    .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.createdAt), asc(workspaces.id));
}

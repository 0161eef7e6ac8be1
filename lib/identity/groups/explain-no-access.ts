import { desc, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { userIdentities } from '#lib/identity/schema/accounts.ts';
import { getSignInPolicy } from '#lib/identity/sign-in-policy/get-sign-in-policy.ts';
import { hasGroupAccess } from './group-access.ts';

export interface NoGroupAccess {
  /** Contact for access; empty: none. */
  accessContact: string;
  /** From the last sign-in; null: the identity provider sent none. */
  groups: string[] | null;
}

/** Why a user is in no workspace: their groups, or null where groups decide nothing about them. */
export async function explainNoAccess(db: Database, userId: string): Promise<NoGroupAccess | null> {
  const [identity] = await db
    .select({ groups: userIdentities.groups })
    .from(userIdentities)
    .where(eq(userIdentities.userId, userId))
    .orderBy(desc(userIdentities.signedInAt))
    .limit(1);
  if (!identity || !(await hasGroupAccess(db))) return null;
  const { accessContact } = await getSignInPolicy(db);
  return { accessContact, groups: identity.groups };
}

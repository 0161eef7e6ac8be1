import { and, eq, inArray, or } from 'drizzle-orm';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
import type { DestinationConfig } from '../alert-types.ts';

/** The current email addresses of a destination, without former members. Each address once. */
export async function listAddresses(
  db: Pick<Database, 'select'> | Transaction,
  workspaceId: string,
  { owners, user_ids: userIds, addresses }: Extract<DestinationConfig, { channel: 'email' }>,
): Promise<string[]> {
  const isMeant = [
    ...(owners ? [eq(memberships.role, 'owner')] : []),
    ...(userIds.length > 0 ? [inArray(memberships.userId, userIds)] : []),
  ];
  const members =
    isMeant.length === 0
      ? []
      : await db
          .select({ email: users.email })
          .from(memberships)
          .innerJoin(users, eq(users.id, memberships.userId))
          .where(and(eq(memberships.workspaceId, workspaceId), or(...isMeant)))
          .orderBy(users.email);
  return [...new Set([...members.map(({ email }) => email), ...addresses])];
}

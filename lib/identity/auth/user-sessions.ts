// Sessions live in the database; the cookie names one. To delete it here is to sign out there.
import { and, eq, gt, lt, ne, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { users, userSessions } from '#lib/identity/schema/accounts.ts';
import { isId, newId } from '#lib/core/ids.ts';

export const SESSION_SECONDS = 30 * 86_400;

/** Signs a user in. @returns the session's id, for the cookie. */
export async function startSession(db: Database, userId: string): Promise<string> {
  await db
    .delete(userSessions)
    .where(and(eq(userSessions.userId, userId), lt(userSessions.expiresAt, sql`now()`)));
  const id = newId();
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  await db.insert(userSessions).values({ id, userId, expiresAt });
  return id;
}

/** Who is signed in with a session; null when it has ended. */
export async function findSessionUser(
  db: Database,
  sessionId: string,
): Promise<{ id: string; email: string; hasPassword: boolean } | null> {
  if (!isId(sessionId)) return null;
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
    })
    .from(userSessions)
    .innerJoin(users, eq(users.id, userSessions.userId))
    .where(and(eq(userSessions.id, sessionId), gt(userSessions.expiresAt, sql`now()`)));
  return user ?? null;
}

/** Signs out. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  if (isId(sessionId)) await db.delete(userSessions).where(eq(userSessions.id, sessionId));
}

/** Signs a user out everywhere else. @returns how many sessions that were. */
export async function endOtherSessions(
  db: Pick<Database, 'delete'>,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<number> {
  const ended = await db
    .delete(userSessions)
    .where(and(eq(userSessions.userId, userId), ne(userSessions.id, sessionId)))
    .returning({ id: userSessions.id });
  return ended.length;
}

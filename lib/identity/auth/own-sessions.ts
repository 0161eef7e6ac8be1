import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { userSessions } from '#lib/identity/schema/accounts.ts';
import { describeBrowser } from './known-browser.ts';
import { endOtherSessions } from './user-sessions.ts';

/** A browser in which the user is signed in. */
export interface SignedInBrowser {
  id: string;
  /** Its name. */
  browser: string;
  /** Null: unknown. */
  address: string | null;
  /** ISO 8601. */
  signedInAt: string;
  /** ISO 8601, at most a few minutes late; null: not recorded yet. */
  lastSeenAt: string | null;
  isThisOne: boolean;
}

interface Own {
  userId: string;
  /** The session of the request. */
  sessionId: string;
}

/** A user's sessions: this browser first, then by last use. */
export async function listSessions(db: Database, { userId, sessionId }: Own): Promise<SignedInBrowser[]> {
  const rows = await db
    .select()
    .from(userSessions)
    .where(and(eq(userSessions.userId, userId), gt(userSessions.expiresAt, sql`now()`)))
    .orderBy(
      desc(eq(userSessions.id, sessionId)),
      sql`${userSessions.lastSeenAt} desc nulls last`,
      desc(userSessions.id),
    );
  return rows.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    browser: describeBrowser(userAgent),
    address,
    signedInAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    isThisOne: id === sessionId,
  }));
}

type AuditedContext = Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>;

/**
 * Signs a user out in one of their browsers.
 * @throws AppError `not_found` when they are not signed in there
 */
export async function endOwnSession(
  ctx: AuditedContext,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [ended] = isId(id)
      ? await tx
          .delete(userSessions)
          .where(and(eq(userSessions.id, id), eq(userSessions.userId, userId)))
          .returning()
      : [];
    if (!ended) throw new AppError('not_found', 'This browser is already signed out.');
    await recordAudit(ctx, tx, 'session.ended', { id, name: describeBrowser(ended.userAgent) });
  });
}

/** Signs a user out in all browsers but this one. */
export async function endOwnOtherSessions(ctx: AuditedContext, own: Own): Promise<{ endedSessions: number }> {
  return ctx.db.transaction(async (tx) => {
    const endedSessions = await endOtherSessions(tx, own);
    if (endedSessions > 0)
      await recordAudit(ctx, tx, 'session.others_ended', { name: `${endedSessions} browsers` });
    return { endedSessions };
  });
}

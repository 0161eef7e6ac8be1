// Sessions are stored in the database; the cookie contains an id. Deleting a session signs out.
import { and, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { users, userSessions } from '#lib/identity/schema/accounts.ts';
import { twoFactor } from '#lib/identity/schema/sign-in.ts';
import { isId, newId } from '#lib/core/ids.ts';

export const SESSION_SECONDS = 30 * 86_400;
/** Minimum time between records of a session's use. */
const NOTE_SECONDS = 300;
const MAX_USER_AGENT_CHARACTERS = 400;

/** `two_factor`: with a password and a code. `passkey`: with one that has verified its user, which is as strong. */
export type SignedInBy = 'password' | 'two_factor' | 'passkey' | 'provider';

/** Facts about the browser that sent a request. */
export interface BrowserFacts {
  userAgent: string | null;
  address: string | null;
}

export interface NewSession extends Partial<BrowserFacts> {
  signedInBy: SignedInBy;
  /** The passkey of the sign-in. */
  passkeyId?: string | undefined;
  /** Duration of the session. */
  seconds?: number;
}

/** Signs a user in. @returns the session's id, for the cookie. */
export async function startSession(
  db: Database,
  userId: string,
  { signedInBy, passkeyId, userAgent, address, seconds = SESSION_SECONDS }: NewSession,
): Promise<string> {
  await db
    .delete(userSessions)
    .where(and(eq(userSessions.userId, userId), lt(userSessions.expiresAt, sql`now()`)));
  const id = newId();
  await db.insert(userSessions).values({
    id,
    userId,
    expiresAt: new Date(Date.now() + seconds * 1000),
    signedInBy,
    passkeyId: passkeyId ?? null,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null,
    address: address ?? null,
    lastSeenAt: sql`now()`,
  });
  return id;
}

export interface SessionUser {
  id: string;
  email: string;
  hasPassword: boolean;
  hasTwoFactor: boolean;
  signedInAt: Date;
  /** Null for sessions from before this was recorded. */
  signedInBy: SignedInBy | null;
  /** Whether `noteSeen` has to record it. */
  isSeenLongAgo: boolean;
}

/**
 * The user of a session; null when it has ended. A session that was started with the password alone is invalid where the
 * account had a second factor by then, whatever started it.
 */
export async function findSessionUser(db: Database, sessionId: string): Promise<SessionUser | null> {
  if (!isId(sessionId)) return null;
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      hasTwoFactor: sql<boolean>`${twoFactor.confirmedAt} is not null`,
      signedInAt: userSessions.createdAt,
      signedInBy: userSessions.signedInBy,
      isSeenLongAgo: sql<boolean>`${seenLongAgo}`,
    })
    .from(userSessions)
    .innerJoin(users, eq(users.id, userSessions.userId))
    .leftJoin(twoFactor, eq(twoFactor.userId, userSessions.userId))
    .where(
      and(
        eq(userSessions.id, sessionId),
        gt(userSessions.expiresAt, sql`now()`),
        sql`(${userSessions.signedInBy} in ('two_factor', 'passkey', 'provider') or ${twoFactor.confirmedAt} is null
          or ${userSessions.createdAt} <= ${twoFactor.confirmedAt})`,
      ),
    );
  return user ?? null;
}

const seenLongAgo = or(
  isNull(userSessions.lastSeenAt),
  lt(userSessions.lastSeenAt, sql`now() - make_interval(secs => ${NOTE_SECONDS})`),
);

/** Records every few minutes that a session is used, and from where. */
export async function noteSeen(db: Database, sessionId: string, address: string | null): Promise<void> {
  await db
    .update(userSessions)
    .set({ lastSeenAt: sql`now()`, ...(address === null ? {} : { address }) })
    .where(and(eq(userSessions.id, sessionId), seenLongAgo));
}

/** Signs out. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  if (isId(sessionId)) await db.delete(userSessions).where(eq(userSessions.id, sessionId));
}

/**
 * Signs a user out where a passkey signed in, except in the requesting browser.
 * @param passkeyId left out: any passkey. Sessions without a recorded passkey end, too
 */
export async function endPasskeySessions(
  db: Pick<Database, 'delete'>,
  { userId, passkeyId, sessionId }: { userId: string; passkeyId?: string; sessionId?: string },
): Promise<void> {
  const { passkeyId: startedBy } = userSessions;
  await db
    .delete(userSessions)
    .where(
      and(
        eq(userSessions.userId, userId),
        eq(userSessions.signedInBy, 'passkey'),
        passkeyId === undefined ? undefined : or(eq(startedBy, passkeyId), isNull(startedBy)),
        sessionId === undefined ? undefined : ne(userSessions.id, sessionId),
      ),
    );
}

/** Signs a user out in all other browsers. @returns the number of ended sessions */
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

const JUST_NOW_MS = 10 * 60_000;

/** Whether the user gave their password or passkey a moment ago, so that it need not be asked for again. */
export const isJustSignedIn = ({
  signedInBy,
  signedInAt,
}: Pick<SessionUser, 'signedInBy' | 'signedInAt'>): boolean =>
  (signedInBy === 'password' || signedInBy === 'passkey') && Date.now() - signedInAt.getTime() < JUST_NOW_MS;

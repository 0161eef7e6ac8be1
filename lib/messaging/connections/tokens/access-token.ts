// A connection's access token, valid when it is returned. After half of its lifetime it is refreshed in the background; one
// that has expired, or that the platform refused, is refreshed first.
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { type ConnectionRow, loadConnectionTogether } from '#lib/messaging/connections/connection-rows.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { sealedFor } from '#lib/messaging/connections/sealing.ts';
import { explainToken } from '#lib/messaging/platform/error-table.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { noteCallTrouble } from '#lib/messaging/troubles/note-trouble.ts';
import { refreshConnection } from './refresh-connection.ts';

export interface UsableToken {
  accessToken: string;
  /** Revision of its tokens: identifies the refused ones if the platform refuses it. */
  revision: number;
  row: ConnectionRow;
}

/** A connection without a usable token. `isFinal`: it has to be reconnected; otherwise a retry may work. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Margin for clock differences between the platform and this machine, and for the duration of a call. */
const SAFETY_MS = 5000;

/**
 * @param refused the revision of a token that the platform refused (190): it is refreshed whatever its dates say. One that
 * cannot be refreshed is returned again: a single refusal proves nothing.
 * @throws ConnectionError, AppError `not_found`
 */
export async function getAccessToken(
  ctx: MessagingContext,
  connectionId: string,
  refused?: number,
): Promise<UsableToken> {
  const row = await loadConnectionTogether(ctx, connectionId);
  const need = needOf(row, refused);
  if (need === 'none') return open(ctx, row);
  if (need === 'impossible') {
    const reason = row.statusReason ?? 'its access token has expired and it has no refresh token';
    await markNeedsReconnecting(ctx, row, reason);
    throw new ConnectionError(
      `the connection "${row.name}" has to be reconnected (${reason.replace(/\.$/, '')}).`,
      true,
    );
  }
  const outcome = await refreshConnection(ctx, row, need);
  if (outcome.kind === 'usable') return open(ctx, outcome.row);
  if (outcome.kind === 'not_now' && need === 'soon') return open(ctx, row);
  throw new ConnectionError(`the connection "${row.name}" ${outcome.reason}`, outcome.kind === 'broken');
}

/** Marks a connection as needing to be reconnected, unless its tokens have changed. */
async function markNeedsReconnecting(
  ctx: Pick<MessagingContext, 'db'>,
  row: Pick<ConnectionRow, 'id' | 'tokenRevision'>,
  reason: string,
): Promise<void> {
  await ctx.db
    .update(connections)
    .set({ status: 'needs_reconnecting', statusReason: reason, updatedAt: new Date() })
    .where(and(eq(connections.id, row.id), eq(connections.tokenRevision, row.tokenRevision)));
}

function needOf(row: ConnectionRow, refused: number | undefined): 'none' | 'soon' | 'now' | 'impossible' {
  if (row.status === 'needs_reconnecting') return 'impossible';
  const nowMs = Date.now();
  const hasEnded = row.tokenExpiresAt !== null && row.tokenExpiresAt.getTime() - SAFETY_MS <= nowMs;
  const wasRefused = refused !== undefined && row.tokenRevision <= refused;
  if (row.refreshTokenEncrypted === null) return hasEnded ? 'impossible' : 'none';
  if (hasEnded || wasRefused) return 'now';
  if (row.tokenExpiresAt === null) return 'none';
  const halfway = (row.tokenIssuedAt.getTime() + row.tokenExpiresAt.getTime()) / 2;
  return nowMs >= halfway ? 'soon' : 'none';
}

/** Messages that are sent together share the row, and what it costs to open its token. */
const opened = new WeakMap<ConnectionRow, UsableToken>();

function open(ctx: MessagingContext, row: ConnectionRow): UsableToken {
  const known = opened.get(row);
  if (known) return known;
  const binding = sealedFor(row.workspaceId, 'access_token', row.id);
  const accessToken = ctx.secrets.open(row.accessTokenEncrypted, binding);
  const token = { accessToken, revision: row.tokenRevision, row };
  opened.set(row, token);
  return token;
}

/** Delay before the same token is retried. */
const PAUSE_MS = 500;

/** Whether the platform refused a call because of its token: it had no effect. */
export const isRefusedToken = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.kind === 'token';

/** @param revision of the tokens of the call */
type CallWithToken<Result> = (access: GraphAccess, revision: number) => Promise<Result>;

/**
 * Calls the platform with a connection's token. After a refusal (190) the call is repeated once, with a new token if it can be
 * refreshed: a refused call had no effect. After a second refusal the connection has to be reconnected.
 * @throws ConnectionError, PlatformError, AppError `not_found`
 */
export async function withAccessToken<Result>(
  ctx: MessagingContext,
  connectionId: string,
  call: CallWithToken<Result>,
): Promise<Result> {
  try {
    return await callTwice(ctx, connectionId, call);
  } catch (error) {
    await noteCallTrouble(ctx, connectionId, error);
    throw error;
  }
}

async function callTwice<Result>(
  ctx: MessagingContext,
  connectionId: string,
  call: CallWithToken<Result>,
): Promise<Result> {
  const settings = ctx.platform;
  const first = await getAccessToken(ctx, connectionId);
  try {
    return await call({ settings, accessToken: first.accessToken }, first.revision);
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
  }
  const second = await getAccessToken(ctx, connectionId, first.revision);
  const isNew = second.revision !== first.revision;
  if (!isNew) await wait(PAUSE_MS);
  try {
    return await call({ settings, accessToken: second.accessToken }, second.revision);
  } catch (error) {
    if (isRefusedToken(error)) await markNeedsReconnecting(ctx, second.row, reasonOf(error, isNew));
    throw error;
  }
}

const reasonOf = ({ facts }: PlatformError, isNew: boolean): string =>
  explainToken(facts.subcode) ??
  (isNew
    ? 'The platform refuses its access token, even a new one.'
    : 'The platform refuses its access token.');

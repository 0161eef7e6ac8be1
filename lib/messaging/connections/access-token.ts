// A connection's access token, good at the moment it is given out. At half of its lifetime it is refreshed in passing;
// one that has ended, or that the platform refused, is refreshed before anything else.
import { and, eq } from 'drizzle-orm';
import { connections } from '#lib/messaging/schema/connections.ts';
import type { MessagingContext } from './context.ts';
import { type ConnectionRow, loadConnectionRow } from './load-connection.ts';
import { refreshConnection } from './refresh-connection.ts';
import { sealedFor } from './sealing.ts';

export interface UsableToken {
  accessToken: string;
  /** Of the tokens it belongs to: names what was refused, should the platform refuse it. */
  revision: number;
  row: ConnectionRow;
}

/** A connection without a usable token. `isFinal`: it has to be reconnected; else another try may work. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** The clocks of the platform and of this machine differ, and a call takes its time. */
const SAFETY_MS = 5000;

/**
 * @param refused the revision of a token that the platform refused (190): it is refreshed whatever its dates say. One that cannot
 * be refreshed is given out again: a single refusal proves nothing.
 * @throws ConnectionError, AppError `not_found`
 */
export async function getAccessToken(
  ctx: MessagingContext,
  connectionId: string,
  refused?: number,
): Promise<UsableToken> {
  const row = await loadConnectionRow(ctx, connectionId);
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

/** Says that a connection has to be reconnected, unless its tokens are other ones by now. */
export async function markNeedsReconnecting(
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

function open(ctx: MessagingContext, row: ConnectionRow): UsableToken {
  const binding = sealedFor(row.workspaceId, 'access_token', row.id);
  return {
    accessToken: ctx.secrets.open(row.accessTokenEncrypted, binding),
    revision: row.tokenRevision,
    row,
  };
}

import type { ConnectionRow } from './connection-rows.ts';
import { findMissingScopes, GRANT_EVERYTHING, type ScopesContext } from './missing-scopes.ts';
import type { Connection, ConnectionStatus } from './schema.ts';

const DAY_MS = 86_400_000;
/** Time before the expiry at which a connection is shown as expiring. */
const WARNING_MS = 7 * DAY_MS;

/**
 * A connection without its tokens. Whether it expires soon is derived from its dates when it is shown. @param hasAnswered
 * whether its business account is known to be accessible
 */
export function toConnection(
  ctx: ScopesContext,
  row: ConnectionRow,
  hasAnswered = false,
  now = new Date(),
): Connection {
  const endsAt = endOf(row);
  const { status, reason } = statusOf(row, findMissingScopes(row.scopes, ctx, hasAnswered), endsAt, now);
  return {
    id: row.id,
    name: row.name,
    business_account_id: row.businessAccountId,
    business_account_name: row.businessAccountName,
    status,
    status_reason: reason,
    scopes: row.scopes,
    refreshes_itself: row.refreshTokenEncrypted !== null,
    ends_at: endsAt?.toISOString() ?? null,
    checked_at: row.checkedAt?.toISOString() ?? null,
    check_problem: row.checkProblem,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** A connection that is refreshed automatically expires with its refresh token. */
const endOf = (row: ConnectionRow): Date | null =>
  row.refreshTokenEncrypted === null ? row.tokenExpiresAt : row.refreshExpiresAt;

function statusOf(
  row: ConnectionRow,
  missingScopes: readonly string[],
  endsAt: Date | null,
  now: Date,
): { status: ConnectionStatus; reason: string | null } {
  if (row.status === 'needs_reconnecting') return { status: 'needs_reconnecting', reason: row.statusReason };
  const leftMs = endsAt ? endsAt.getTime() - now.getTime() : Infinity;
  if (leftMs <= 0) return { status: 'needs_reconnecting', reason: 'It has expired. Reconnect it.' };
  if (missingScopes.length > 0)
    return {
      status: 'needs_reconnecting',
      reason: `Not granted: ${missingScopes.join(', ')}. ${GRANT_EVERYTHING}`,
    };
  if (leftMs > WARNING_MS) return { status: 'connected', reason: null };
  // A refresh before then returns a new refresh token where the platform rotates them.
  const days = Math.ceil(leftMs / DAY_MS);
  const failure = row.lastRefreshError === null ? '' : ` It could not be renewed: ${row.lastRefreshError}`;
  return {
    status: 'expires_soon',
    reason: `It ends in ${days === 1 ? 'one day' : `${days} days`}. Reconnect it before then.${failure}`,
  };
}

// One refresh at a time per connection, over all processes: a lease in its row, the tokens reread under the lease, the call
// outside any transaction, and a result that only replaces the tokens it is based on. A rotated refresh token works once: two
// concurrent refreshes would end the connection.
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { type ConnectionRow, findConnectionRow } from '#lib/messaging/connections/connection-rows.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { sealedFor } from '#lib/messaging/connections/sealing.ts';
import { findTokenFacts, secondsUntil, tokenColumns } from '#lib/messaging/connections/stored-tokens.ts';
import {
  exchangeToken,
  IdentityError,
  refreshTokens,
  type Tokens,
} from '#lib/messaging/platform/identity.ts';
import { inspectToken } from '#lib/messaging/platform/inspect-token.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { connections } from '#lib/messaging/schema/connections.ts';

export type RefreshOutcome =
  | { kind: 'usable'; row: ConnectionRow }
  /** The reason continues after the connection's name. */
  | { kind: 'not_now'; reason: string }
  | { kind: 'broken'; reason: string };

/** Longer than the token endpoint's timeout: the holder of the lease has finished by then. */
const LEASE_SECONDS = 40;
const PATIENCE_MS = 45_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;

/** Concurrent callers of one process share one refresh. */
const underWay = new WeakMap<Database, Map<string, Promise<RefreshOutcome>>>();

/**
 * Replaces the tokens of `row` unless another process does or did. @param need `now`: waits for a refresh in progress
 * elsewhere; `soon`: does not wait for it.
 */
export function refreshConnection(
  ctx: MessagingContext,
  row: ConnectionRow,
  need: 'now' | 'soon',
): Promise<RefreshOutcome> {
  const ofDatabase = underWay.get(ctx.db) ?? new Map<string, Promise<RefreshOutcome>>();
  underWay.set(ctx.db, ofDatabase);
  const key = `${row.id} ${row.tokenRevision} ${need}`;
  const known = ofDatabase.get(key);
  if (known) return known;
  const outcome = refresh(ctx, row, need)
    .then((settled) => {
      telemetry.tokenRefresh.tell({ outcome: settled.kind });
      return settled;
    })
    .finally(() => ofDatabase.delete(key));
  ofDatabase.set(key, outcome);
  return outcome;
}

async function refresh(
  ctx: MessagingContext,
  row: ConnectionRow,
  need: 'now' | 'soon',
): Promise<RefreshOutcome> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const leaseId = newId();
    const leased = await takeLease(ctx, row, leaseId);
    if (leased) return refreshLeased(ctx, leased, leaseId);
    const settled = await findSettled(ctx, row);
    if (settled) return settled;
    if (need === 'soon' || Date.now() > deadline) {
      return { kind: 'not_now', reason: 'is being refreshed by another process, which is taking too long.' };
    }
    await wait(pauseMs * (0.5 + Math.random()));
  }
}

/** The row, read under the lease; undefined when the lease is taken or the tokens have changed. */
async function takeLease(
  ctx: MessagingContext,
  row: ConnectionRow,
  leaseId: string,
): Promise<ConnectionRow | undefined> {
  const [leased] = await ctx.db
    .update(connections)
    .set({
      refreshLeaseId: leaseId,
      refreshLeaseUntil: sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
    })
    .where(
      and(
        eq(connections.id, row.id),
        eq(connections.tokenRevision, row.tokenRevision),
        eq(connections.status, 'connected'),
        sql`(${connections.refreshLeaseUntil} is null or ${connections.refreshLeaseUntil} < clock_timestamp())`,
      ),
    )
    .returning();
  return leased;
}

/** The row, if its lease is held and its tokens have not changed since. */
const isHeld = (row: ConnectionRow, leaseId: string) =>
  and(
    eq(connections.id, row.id),
    eq(connections.tokenRevision, row.tokenRevision),
    eq(connections.refreshLeaseId, leaseId),
  );

/** The outcome when another process has changed the connection; undefined: unchanged. */
async function findSettled(
  ctx: MessagingContext,
  before: ConnectionRow,
): Promise<RefreshOutcome | undefined> {
  const row = await findConnectionRow(ctx, before.id);
  if (!row) return { kind: 'broken', reason: 'was deleted.' };
  if (row.status === 'needs_reconnecting') return broken(row.statusReason);
  return row.tokenRevision === before.tokenRevision ? undefined : { kind: 'usable', row };
}

const broken = (reason: string | null): RefreshOutcome => ({
  kind: 'broken',
  reason: `has to be reconnected (${(reason ?? 'its tokens are no longer valid').replace(/\.$/, '')}).`,
});

async function refreshLeased(
  ctx: MessagingContext,
  row: ConnectionRow,
  leaseId: string,
): Promise<RefreshOutcome> {
  try {
    const { tokens, isRotated } = await renewTokens(ctx, row);
    return await keep(ctx, row, leaseId, tokens, isRotated);
  } catch (error) {
    if (!(error instanceof IdentityError || error instanceof PlatformError)) {
      await release(ctx, row, leaseId, null);
      throw error;
    }
    if (error instanceof IdentityError && error.isFinal) return settleRefusal(ctx, row, leaseId);
    await release(ctx, row, leaseId, error.message);
    return { kind: 'not_now', reason: `could not be refreshed right now. ${error.message}` };
  }
}

async function keep(
  ctx: MessagingContext,
  row: ConnectionRow,
  leaseId: string,
  tokens: Tokens,
  isRotated: boolean,
): Promise<RefreshOutcome> {
  const columns = tokenColumns({ ...ctx, workspaceId: row.workspaceId }, row.id, tokens, new Date());
  // A refresh token that was not replaced keeps its expiry.
  if (!isRotated) columns.refreshExpiresAt = row.refreshExpiresAt;
  const [written] = await ctx.db
    .update(connections)
    .set({
      ...columns,
      ...(tokens.scopes ? { scopes: tokens.scopes } : {}),
      tokenRevision: row.tokenRevision + 1,
      status: 'connected',
      statusReason: null,
      lastRefreshError: null,
      refreshLeaseId: null,
      refreshLeaseUntil: null,
      updatedAt: new Date(),
    })
    .where(isHeld(row, leaseId))
    .returning();
  if (written) return { kind: 'usable', row: written };
  return (
    (await findSettled(ctx, row)) ?? {
      kind: 'not_now',
      reason: 'was refreshed too slowly: another process took over.',
    }
  );
}

/** `invalid_grant`, or a token that is not valid: read again, because the connection may have been reconnected in between. */
async function settleRefusal(
  ctx: MessagingContext,
  row: ConnectionRow,
  leaseId: string,
): Promise<RefreshOutcome> {
  const settled = await findSettled(ctx, row);
  if (settled) return settled;
  const kind = row.refreshTokenEncrypted === null ? 'access token' : 'refresh token';
  const reason = `The platform no longer accepts its ${kind}: it was revoked or has expired.`;
  const marked = await ctx.db
    .update(connections)
    .set({
      status: 'needs_reconnecting',
      statusReason: reason,
      refreshLeaseId: null,
      refreshLeaseUntil: null,
      updatedAt: new Date(),
    })
    .where(isHeld(row, leaseId))
    .returning({ id: connections.id });
  if (marked.length > 0) return broken(reason);
  return (await findSettled(ctx, row)) ?? { kind: 'not_now', reason: 'is being refreshed elsewhere.' };
}

async function release(
  ctx: MessagingContext,
  row: ConnectionRow,
  leaseId: string,
  error: string | null,
): Promise<void> {
  await ctx.db
    .update(connections)
    .set({ refreshLeaseId: null, refreshLeaseUntil: null, lastRefreshError: error })
    .where(and(eq(connections.id, row.id), eq(connections.refreshLeaseId, leaseId)));
}

// New tokens for a connection: by its refresh token or, without one, by exchanging the access token itself.

interface RenewedTokens {
  tokens: Tokens;
  /** Whether the refresh token has changed. */
  isRotated: boolean;
}

/** Requests the successors of the tokens of `row`. @throws IdentityError, PlatformError */
async function renewTokens(ctx: MessagingContext, row: ConnectionRow): Promise<RenewedTokens> {
  const { refreshTokenEncrypted: sealed } = row;
  if (sealed === null) return { tokens: await exchange(ctx, row), isRotated: false };
  const refreshToken = ctx.secrets.open(sealed, sealedFor(row.workspaceId, 'refresh_token', row.id));
  const tokens = await refreshTokens(ctx.platform, refreshToken);
  return {
    tokens: { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken },
    isRotated: tokens.refreshToken !== null,
  };
}

async function exchange(ctx: MessagingContext, row: ConnectionRow): Promise<Tokens> {
  const binding = sealedFor(row.workspaceId, 'access_token', row.id);
  const accessToken = ctx.secrets.open(row.accessTokenEncrypted, binding);
  const tokens = await exchangeToken(ctx.platform, accessToken).catch(async (error: unknown) => {
    // One refusal proves nothing: the platform is queried about the token itself.
    if (error instanceof IdentityError && error.isFinal && !(await isDead(ctx, accessToken)))
      throw new IdentityError(error.message, false, error);
    throw error;
  });
  if (tokens.expiresInSeconds !== null) return tokens;
  const facts = await findTokenFacts(ctx, tokens.accessToken);
  // The old expiry may be too early, but not too late; the next check corrects it.
  const end = facts?.expiresAt === undefined ? row.tokenExpiresAt : facts.expiresAt;
  return { ...tokens, expiresInSeconds: secondsUntil(end) };
}

const isDead = ({ platform }: MessagingContext, accessToken: string): Promise<boolean> =>
  inspectToken({ settings: platform, accessToken }).then(
    () => false,
    (error: unknown) => error instanceof PlatformError && error.kind === 'token',
  );

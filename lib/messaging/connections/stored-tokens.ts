import { eq, sql } from 'drizzle-orm';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import type { Tokens } from '#lib/messaging/platform/identity.ts';
import { inspectToken, type TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import type { ConnectionRow } from './connection-rows.ts';
import type { MessagingContext } from './context.ts';
import type { AuthorizedLogin } from './login/login.ts';
import { sealedFor } from './sealing.ts';

/** Spec, Authentication 3: the default where the identity login does not return it. */
const REFRESH_TOKEN_SECONDS = 90 * 86_400;
const ACCESS_TOKEN_SECONDS = 30 * 60;

type TokenColumns = Pick<
  typeof connections.$inferInsert,
  'accessTokenEncrypted' | 'refreshTokenEncrypted' | 'tokenIssuedAt' | 'tokenExpiresAt' | 'refreshExpiresAt'
>;

/** The stored data of received tokens; both are encrypted for their connection. */
export function tokenColumns(
  ctx: Pick<Context, 'secrets' | 'workspaceId'>,
  connectionId: string,
  tokens: Omit<Tokens, 'scopes'>,
  now: Date,
): TokenColumns {
  const { accessToken, refreshToken, expiresInSeconds, refreshExpiresInSeconds } = tokens;
  const seal = (token: string, purpose: 'access_token' | 'refresh_token'): string =>
    ctx.secrets.seal(token, sealedFor(ctx.workspaceId, purpose, connectionId));
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
  const lifetime = expiresInSeconds ?? (refreshToken === null ? null : ACCESS_TOKEN_SECONDS);
  return {
    accessTokenEncrypted: seal(accessToken, 'access_token'),
    refreshTokenEncrypted: refreshToken === null ? null : seal(refreshToken, 'refresh_token'),
    tokenIssuedAt: now,
    tokenExpiresAt: lifetime === null ? null : after(lifetime),
    refreshExpiresAt: refreshToken === null ? null : after(refreshExpiresInSeconds ?? REFRESH_TOKEN_SECONDS),
  };
}

/** The platform's data about a received token; undefined where it does not answer. */
export async function findTokenFacts(
  ctx: Pick<MessagingContext, 'platform'>,
  accessToken: string,
): Promise<TokenFacts | undefined> {
  try {
    return await inspectToken({ settings: ctx.platform, accessToken });
  } catch (error) {
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}

/** Lifetime of a token. Null: it does not expire, or its expiry is unknown. */
export const secondsUntil = (end: Date | null | undefined): number | null =>
  end ? Math.max(1, Math.floor((end.getTime() - Date.now()) / 1000)) : null;

/** Reconnects a connection; the response of a refresh in progress finds newer tokens and is dropped. */
export async function replaceTokens(
  ctx: ActorContext,
  tx: Transaction,
  row: ConnectionRow,
  login: Omit<AuthorizedLogin, 'step' | 'origin'>,
): Promise<void> {
  const replaced = await tx
    .update(connections)
    .set({
      ...tokenColumns(ctx, row.id, login, new Date(login.receivedAt)),
      scopes: login.scopes,
      tokenRevision: sql`${connections.tokenRevision} + 1`,
      status: 'connected',
      statusReason: null,
      lastRefreshError: null,
      checkDueAt: null,
      refreshLeaseId: null,
      refreshLeaseUntil: null,
      updatedAt: new Date(),
    })
    .where(eq(connections.id, row.id))
    .returning({ id: connections.id, name: connections.name });
  for (const target of replaced) await recordAudit(ctx, tx, 'connection.reconnected', target);
}

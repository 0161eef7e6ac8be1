import type { connections } from '#lib/messaging/schema/connections.ts';
import type { Tokens } from '#lib/messaging/platform/identity.ts';
import type { Context } from '#lib/identity/context.ts';
import { sealedFor } from './sealing.ts';

/** Spec, Authentication 3: what holds where the identity login does not say. */
const REFRESH_TOKEN_SECONDS = 90 * 86_400;
const ACCESS_TOKEN_SECONDS = 30 * 60;

type TokenColumns = Pick<
  typeof connections.$inferInsert,
  'accessTokenEncrypted' | 'refreshTokenEncrypted' | 'tokenIssuedAt' | 'tokenExpiresAt' | 'refreshExpiresAt'
>;

/** What is kept of tokens that were just received; both are sealed for their connection. */
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

import { lt, sql } from 'drizzle-orm';
import { hashToken } from '#lib/core/crypto/token.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { loadConnectionRow } from '#lib/messaging/connections/connection-rows.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { beginLogin, type BegunLogin } from '#lib/messaging/platform/identity.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { connectionLogins } from '#lib/messaging/schema/connections.ts';
import { type LoginOrigin, sealLogin } from './login.ts';

/** Maximum time from the first click to the saved connection. */
const LOGIN_MINUTES = 30;

interface LoginStart {
  userId: string;
  connectionId?: string | undefined;
  origin?: LoginOrigin | undefined;
}

/**
 * Starts a login at the platform's identity provider, for a new connection or to reconnect one. @param userId the signed-in
 * user; only they can finish it. @param origin the task that will use the connection, if it was started there. @returns the URL
 * for the browser. @throws AppError `not_found`, `invalid_request` when no platform is set up
 */
export async function startLogin(
  ctx: MessagingContext,
  { userId, connectionId, origin }: LoginStart,
): Promise<{ url: string }> {
  if (connectionId !== undefined) await loadConnectionRow(ctx, connectionId);
  const { url, state, codeVerifier } = await begin(ctx);
  const id = newId();
  await ctx.db.delete(connectionLogins).where(lt(connectionLogins.expiresAt, sql`now()`));
  await ctx.db.insert(connectionLogins).values({
    id,
    stateHash: hashToken(state),
    workspaceId: ctx.workspaceId,
    userId,
    connectionId: connectionId ?? null,
    secretsEncrypted: sealLogin(ctx, id, { step: 'started', origin, codeVerifier }),
    expiresAt: new Date(Date.now() + LOGIN_MINUTES * 60_000),
  });
  return { url };
}

async function begin(ctx: MessagingContext): Promise<BegunLogin> {
  try {
    return await beginLogin(ctx.platform);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const set = 'set MESSAGING_AUTHORIZE_URL, MESSAGING_TOKEN_URL and MESSAGING_CLIENT_ID.';
    const message =
      ctx.platform.graphUrl === undefined
        ? `No messaging platform is configured: ${set}`
        : `Signing in at the platform is not set up. Use the access token of a system user instead, or ${set}`;
    throw new AppError('invalid_request', message, { cause: error });
  }
}

import { AppError } from '#lib/core/errors.ts';
import { inspectToken, type TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { MessagingActorContext, MessagingContext } from './context.ts';
import { insertConnection } from './insert-connection.ts';
import type { Connection, NewConnection } from './schema.ts';
import { toConnection } from './to-connection.ts';
import { secondsUntil } from './token-end.ts';

/**
 * Makes a connection from tokens that one has already. The platform is asked what the token may do; when it cannot be
 * reached the connection is made all the same.
 * @throws AppError `conflict`, `invalid_request` when the platform does not know the token and nothing can refresh it
 */
export async function createConnection(
  ctx: MessagingActorContext,
  input: NewConnection,
): Promise<Connection> {
  const facts = await inspect(ctx, input.access_token);
  if (facts === 'invalid' && input.refresh_token === undefined) {
    throw new AppError('invalid_request', 'Invalid or expired access token', {
      problems: [
        { path: 'access_token', message: 'The platform rejects it. Copy it again, or create a new one.' },
      ],
    });
  }
  const known = facts === 'invalid' || facts === undefined ? undefined : facts;
  const [platformSays, senderSays] = [secondsUntil(known?.expiresAt), input.expires_in ?? null];
  // Without a refresh token the connection ends with the token: of that the platform knows best.
  const lifetime =
    input.refresh_token === undefined ? (platformSays ?? senderSays) : (senderSays ?? platformSays);
  const fields = {
    name: input.name.trim(),
    tokens: {
      accessToken: input.access_token.trim(),
      refreshToken: input.refresh_token?.trim() ?? null,
      expiresInSeconds: facts === 'invalid' ? 1 : lifetime,
      refreshExpiresInSeconds: null,
    },
    scopes: known?.scopes ?? ctx.platform.scopes,
    businessAccount:
      input.business_account_id === undefined ? null : { id: input.business_account_id.trim(), name: null },
  };
  return toConnection(ctx, await ctx.db.transaction((tx) => insertConnection(ctx, tx, fields)));
}

async function inspect(
  ctx: MessagingContext,
  accessToken: string,
): Promise<TokenFacts | 'invalid' | undefined> {
  try {
    return await inspectToken({ settings: ctx.platform, accessToken: accessToken.trim() });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.kind === 'token' ? 'invalid' : undefined;
  }
}

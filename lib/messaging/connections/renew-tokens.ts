// New tokens for a connection: by its refresh token or, where the login gave none, by exchanging the access token itself.
import {
  exchangeToken,
  IdentityError,
  refreshTokens,
  type Tokens,
} from '#lib/messaging/platform/identity.ts';
import { inspectToken } from '#lib/messaging/platform/inspect-token.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { MessagingContext } from './context.ts';
import type { ConnectionRow } from './load-connection.ts';
import { sealedFor } from './sealing.ts';
import { findTokenFacts, secondsUntil } from './token-end.ts';

interface RenewedTokens {
  tokens: Tokens;
  /** Whether the refresh token is another one now. */
  isRotated: boolean;
}

/** Asks for the tokens that come after those of `row`. @throws IdentityError, PlatformError */
export async function renewTokens(ctx: MessagingContext, row: ConnectionRow): Promise<RenewedTokens> {
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
    // One refusal proves nothing: the platform is asked what it says of the token itself.
    if (error instanceof IdentityError && error.isFinal && !(await isDead(ctx, accessToken)))
      throw new IdentityError(error.message, false, error);
    throw error;
  });
  if (tokens.expiresInSeconds !== null) return tokens;
  const facts = await findTokenFacts(ctx, tokens.accessToken);
  // The end of the one before is too early rather than too late, and the next check knows better.
  const end = facts?.expiresAt === undefined ? row.tokenExpiresAt : facts.expiresAt;
  return { ...tokens, expiresInSeconds: secondsUntil(end) };
}

const isDead = ({ platform }: MessagingContext, accessToken: string): Promise<boolean> =>
  inspectToken({ settings: platform, accessToken }).then(
    () => false,
    (error: unknown) => error instanceof PlatformError && error.kind === 'token',
  );

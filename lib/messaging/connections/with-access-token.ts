import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { getAccessToken, markNeedsReconnecting } from './access-token.ts';
import type { MessagingContext } from './context.ts';

/** Whether the platform refused a call because of its token: nothing was done. */
export const isRefusedToken = (error: unknown): boolean =>
  error instanceof PlatformError && error.kind === 'token';

/**
 * Calls the platform with a connection's token. A token that it refuses (190) is refreshed once and the call repeated
 * once: nothing was done by a call that was refused. Refused again, the connection has to be reconnected.
 * @throws ConnectionError, PlatformError, AppError `not_found`
 */
export async function withAccessToken<Result>(
  ctx: MessagingContext,
  connectionId: string,
  call: (access: GraphAccess) => Promise<Result>,
): Promise<Result> {
  const settings = ctx.platform;
  const first = await getAccessToken(ctx, connectionId);
  try {
    return await call({ settings, accessToken: first.accessToken });
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
  }
  const second = await getAccessToken(ctx, connectionId, first.revision);
  try {
    return await call({ settings, accessToken: second.accessToken });
  } catch (error) {
    if (isRefusedToken(error))
      await markNeedsReconnecting(ctx, second.row, 'The platform refuses its access token, even a new one.');
    throw error;
  }
}

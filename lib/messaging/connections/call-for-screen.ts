import { AppError } from '#lib/core/errors.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { toAppError } from '#lib/messaging/platform/platform-error.ts';
import { ConnectionError, withAccessToken } from './tokens/access-token.ts';
import type { MessagingContext } from './context.ts';

/**
 * Like `withAccessToken`, with errors for the API and the screens. @param doing prefix of the platform's message when it fails.
 * @throws AppError
 */
export async function callForScreen<Result>(
  ctx: MessagingContext,
  connectionId: string,
  doing: string | undefined,
  call: (access: GraphAccess) => Promise<Result>,
): Promise<Result> {
  try {
    return await withAccessToken(ctx, connectionId, call);
  } catch (error) {
    if (error instanceof ConnectionError) {
      throw new AppError('upstream_failed', `Invalid or expired access token: ${error.message}`, {
        cause: error,
      });
    }
    throw toAppError(error, doing);
  }
}

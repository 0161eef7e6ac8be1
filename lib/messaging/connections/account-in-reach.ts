import { findAccount } from '#lib/messaging/platform/discovery.ts';
import { toAppError } from '#lib/messaging/platform/to-app-error.ts';
import type { MessagingContext } from './context.ts';

/**
 * The business account that a token is to be connected for, with the name that it tells; undefined: the token does not reach it.
 * @throws AppError when the platform does not say
 */
export async function findForScreen(
  ctx: Pick<MessagingContext, 'platform'>,
  accessToken: string,
  businessAccountId: string,
): Promise<{ id: string; name: string | null } | undefined> {
  try {
    const found = await findAccount({ settings: ctx.platform, accessToken }, businessAccountId);
    return found && { id: found.id, name: found.name === found.id ? null : found.name };
  } catch (error) {
    throw toAppError(error, 'Account discovery failure');
  }
}

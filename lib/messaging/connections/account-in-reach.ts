import { findAccount } from '#lib/messaging/platform/discovery.ts';
import { toAppError } from '#lib/messaging/platform/to-app-error.ts';
import type { MessagingContext } from './context.ts';

/**
 * The business account to connect with a token, with its name from the platform; undefined: the token cannot access it.
 * @throws AppError when the platform does not answer
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

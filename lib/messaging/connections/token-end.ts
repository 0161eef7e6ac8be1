import { inspectToken, type TokenFacts } from '#lib/messaging/platform/inspect-token.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { MessagingContext } from './context.ts';

/** What the platform says of a token that was just received; undefined where it does not answer. */
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

/** How long a token is good for. Null: it does not end, or nobody knows when. */
export const secondsUntil = (end: Date | null | undefined): number | null =>
  end ? Math.max(1, Math.floor((end.getTime() - Date.now()) / 1000)) : null;

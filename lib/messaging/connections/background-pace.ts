import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';

/** How many times less often checks come while most of the calls are used up. */
const SLOWER = 4;

/**
 * Minutes until something is checked again that nobody waits for: longer while the platform says that the app, or one of the
 * accounts, has used most of its calls, and not before it answers again.
 * @param minutes usually
 */
export const minutesUntilCheck = (
  { graphUsage }: Pick<PlatformSettings, 'graphUsage'>,
  minutes: number,
  accountIds: readonly string[] = [],
): number =>
  Math.max(graphUsage.isHigh(accountIds) ? minutes * SLOWER : minutes, graphUsage.blockedMinutes(accountIds));

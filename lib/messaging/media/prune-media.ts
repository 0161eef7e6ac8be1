import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import { openMediaStore } from './open-media-store.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Removes files that were stored longer ago than the settings say. Storage that cannot be reached is asked again an hour
 * later: nothing else waits for it.
 */
export async function pruneMedia(
  runtime: Pick<MessagingRuntime, 'media' | 'secrets' | 'baseUrl' | 'logger'>,
  now = new Date(),
): Promise<void> {
  const { media, logger } = runtime;
  try {
    const store = await openMediaStore(media, runtime);
    const removed = await store.prune(new Date(now.getTime() - media.retentionDays * DAY_MS));
    if (removed > 0) logger.info({ removed }, 'stored files were removed after their retention');
  } catch (error) {
    logger.error({ err: error }, 'stored files could not be removed');
  }
}

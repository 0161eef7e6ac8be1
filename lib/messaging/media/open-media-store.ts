import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import { createFolderStore } from './folder-store.ts';
import type { LinkSealer } from './media-link.ts';
import type { MediaSettings, MediaStore } from './media-store.ts';

/** @param links signs the links of files that Patchbay itself serves */
export async function openMediaStore({ store }: MediaSettings, links: LinkSealer): Promise<MediaStore> {
  if (store.kind === 'folder') return createFolderStore(store.folder, links);
  // The library is large: loaded only where it is used.
  const { createS3Store } = await import('./s3-store.ts');
  return createS3Store(store.s3);
}

const DAY_MS = 24 * 3_600_000;

/**
 * Removes files after the retention of the settings. Unreachable storage is retried an hour later, without delaying anything
 * else.
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

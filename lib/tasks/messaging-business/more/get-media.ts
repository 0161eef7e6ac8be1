import { type RetryAdvice, TaskError } from '#lib/engine/task-executor.ts';
import { DownloadError, withDownloadedMedia } from '#lib/messaging/media/download-media.ts';
import { fileNameOf } from '#lib/messaging/media/file-name.ts';
import { newMediaKey } from '#lib/messaging/media/media-key.ts';
import { openMediaStore } from '#lib/messaging/media/open-media-store.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import type { ActionCall, ActionResult } from '../call.ts';
import type { MoreSettings } from './definition.ts';

export type MediaDeps = Pick<MessagingRuntime, 'media' | 'secrets' | 'baseUrl'>;

const DAY_MS = 24 * 3_600_000;

/** Stores a file that a customer sent, and gives a link to it that expires. */
export async function getMedia(
  call: Pick<ActionCall<MoreSettings>, 'withToken' | 'now'>,
  deps: MediaDeps,
  { mediaId, filename: given }: { mediaId: string; filename: string },
): Promise<ActionResult> {
  const store = await openMediaStore(deps.media, deps);
  const expiresAt = new Date(call.now.getTime() + deps.media.linkDays * DAY_MS);
  const stored = await call
    .withToken((access) =>
      withDownloadedMedia(access, mediaId, async ({ path, bytes, mimeType, sha256 }) => {
        const filename = fileNameOf(given, mediaId, mimeType);
        const file = { key: newMediaKey(call.now), filename, mimeType };
        await store.put(file, { path, bytes, sha256 }).catch(failToStore);
        return { file, bytes, sha256 };
      }),
    )
    .catch(toTaskError);
  const { file, bytes, sha256 } = stored;
  return {
    output: {
      url: await store.link(file, expiresAt),
      expires_at: expiresAt.toISOString(),
      mime_type: file.mimeType,
      size: bytes,
      sha256,
      filename: file.filename,
    },
    runText: 'Media downloaded.',
  };
}

function toTaskError(error: unknown): never {
  if (!(error instanceof DownloadError)) throw error;
  const mayHelp = error.kind === 'unreachable' || error.kind === 'damaged';
  const retry: RetryAdvice = { kind: mayHelp ? 'backoff' : 'never' };
  throw new TaskError('media_failure', `Media failure: ${error.message}`, { retry, cause: error });
}

function failToStore(cause: unknown): never {
  throw new TaskError(
    'storage_failed',
    'The file could not be stored. Check the media settings of the server and its storage.',
    { retry: { kind: 'backoff' }, cause },
  );
}

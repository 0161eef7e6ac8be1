// Files that callers sent in a form: stored like those of "Get media", with the same links and the same retention.
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import type { DescribedFile, FormFileStore } from '#lib/webhooks/forms/form-files.ts';
import { fileNameOf } from './file-name.ts';
import { type MediaStore, newMediaKey } from './media-store.ts';
import { openMediaStore } from './open-media-store.ts';

const DAY_MS = 24 * 3_600_000;

/** @param now for tests */
export function createFormFileStore(
  runtime: Pick<MessagingRuntime, 'media' | 'secrets' | 'baseUrl' | 'logger'>,
  now = () => new Date(),
): FormFileStore {
  const { media, logger } = runtime;
  let opened: Promise<MediaStore> | undefined;
  const open = (): Promise<MediaStore> => (opened ??= openMediaStore(media, runtime));

  const remove = async (files: readonly DescribedFile[]): Promise<void> => {
    const store = await open();
    for (const { key } of files)
      await store.remove(key).catch((error: unknown) => {
        logger.warn({ err: error }, 'a file of a refused form could not be removed; its retention will');
      });
  };

  return {
    async describe(file) {
      const at = now();
      const { bytes, sha256, mimeType } = file;
      const key = newMediaKey(at);
      const filename = fileNameOf(file.filename, key, mimeType);
      const expiresAt = new Date(at.getTime() + media.linkDays * DAY_MS);
      const url = await (await open()).link({ key, filename, mimeType }, expiresAt);
      const expires_at = expiresAt.toISOString();
      return {
        file,
        key,
        filename,
        value: { url, filename, mime_type: mimeType, size: bytes, sha256, expires_at },
      };
    },
    async save(files) {
      const store = await open();
      try {
        for (const { file, key, filename } of files)
          await store.put({ key, filename, mimeType: file.mimeType }, file);
      } catch (error) {
        await remove(files);
        throw new Error('The files of a form could not be stored.', { cause: error });
      }
    },
    remove,
  };
}

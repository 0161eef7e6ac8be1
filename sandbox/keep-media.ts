import { createHash } from 'node:crypto';
import { newObjectId } from './ids.ts';
import type { Media } from './model.ts';
import type { World } from './world.ts';

const MOST_BYTES = 256 * 1024 * 1024;

/** Stores bytes under a new media id. Beyond 256 MB in total, the oldest are removed. */
export function keepMedia(
  world: World,
  input: Pick<Media, 'phoneId' | 'mimeType' | 'filename' | 'bytes'> & { receivedAt?: number },
): Media {
  const media: Media = {
    kind: 'media',
    id: newObjectId(),
    ...input,
    receivedAt: input.receivedAt ?? null,
    sha256: createHash('sha256').update(input.bytes).digest('hex'),
    sizeBytes: input.bytes.length,
  };
  world.media.set(media.id, media);
  let total = 0;
  for (const { sizeBytes } of world.media.values()) total += sizeBytes;
  for (const [id, { sizeBytes }] of world.media) {
    if (total <= MOST_BYTES || id === media.id) break;
    world.media.delete(id);
    total -= sizeBytes;
  }
  return media;
}

import { createHash } from 'node:crypto';
import { newObjectId } from './ids.ts';
import type { Media } from './model.ts';
import type { World } from './world.ts';

const MOST_BYTES = 256 * 1024 * 1024;

/** Keeps bytes under a new media id. Past 256 MB in all, the oldest are forgotten. */
export function keepMedia(
  world: World,
  input: { phoneId: string; mimeType: string; filename: string | null; bytes: Buffer },
): Media {
  const media: Media = {
    kind: 'media',
    id: newObjectId(),
    ...input,
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

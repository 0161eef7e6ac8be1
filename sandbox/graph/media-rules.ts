import type { MediaKind, SentMediaKind } from '../model.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Formats and sizes of the spec's table (send_media), and of stickers. */
export const MEDIA_RULES: Record<SentMediaKind, { mimeTypes: string[]; largestBytes: number }> = {
  image: { mimeTypes: ['image/jpeg', 'image/png', 'image/webp'], largestBytes: 5 * MEGABYTE },
  video: { mimeTypes: ['video/mp4', 'video/3gpp', 'video/3gp'], largestBytes: 16 * MEGABYTE },
  audio: { mimeTypes: ['audio/mpeg', 'audio/mp3', 'audio/ogg', 'audio/amr'], largestBytes: 16 * MEGABYTE },
  document: {
    mimeTypes: [
      'application/pdf',
      'application/msword',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.ms-excel',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
    largestBytes: 100 * MEGABYTE,
  },
  // Of an animated sticker.
  sticker: { mimeTypes: ['image/webp'], largestBytes: 500 * KILOBYTE },
};

/** The formats of a kind of message: those of the spec, without WebP pictures in strict mode. */
export const listMimeTypes = (world: World, kind: SentMediaKind): string[] =>
  MEDIA_RULES[kind].mimeTypes.filter(
    (type) => !(isStrict(world) && kind === 'image' && type === 'image/webp'),
  );

const LARGEST_STILL_STICKER = 100 * KILOBYTE;

/** Maximum size of a sticker: static ones have to be smaller. */
export const largestSticker = (bytes: Buffer): number =>
  isAnimatedWebp(bytes) ? MEDIA_RULES.sticker.largestBytes : LARGEST_STILL_STICKER;

/** Animation flag in the extended header of a WebP file. */
const isAnimatedWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;

/** The kind of message a MIME type can be sent as, or null. */
export function findMediaKind(mimeType: string): MediaKind | null {
  const kinds = Object.keys(MEDIA_RULES) as MediaKind[];
  return kinds.find((kind) => MEDIA_RULES[kind].mimeTypes.includes(mimeType)) ?? null;
}

/** `Image/PNG; charset=x` → `image/png`. */
export function bareMimeType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

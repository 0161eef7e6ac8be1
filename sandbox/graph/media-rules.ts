import type { MediaKind } from '../model.ts';

const MEGABYTE = 1024 * 1024;

/** Formats and sizes of the spec's table (send_media). */
export const MEDIA_RULES: Record<MediaKind, { mimeTypes: string[]; largestBytes: number }> = {
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
};

/** The kind of message a MIME type can be sent as, or null. */
export function findMediaKind(mimeType: string): MediaKind | null {
  const kinds = Object.keys(MEDIA_RULES) as MediaKind[];
  return kinds.find((kind) => MEDIA_RULES[kind].mimeTypes.includes(mimeType)) ?? null;
}

/** `Image/PNG; charset=x` → `image/png`. */
export function bareMimeType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

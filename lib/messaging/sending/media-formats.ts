// The platform's media formats (spec, send_media: "Formats", "Max size"). Isomorphic: the form checks before sending, and the
// server checks again.

export type MediaKind = 'image' | 'video' | 'document' | 'audio' | 'sticker';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * 1024;

const MAX_MEDIA_BYTES: Readonly<Record<MediaKind, number>> = {
  image: 5 * MEGABYTE,
  video: 16 * MEGABYTE,
  document: 100 * MEGABYTE,
  audio: 16 * MEGABYTE,
  /** Of an animated one. */
  sticker: 500 * KILOBYTE,
};

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** By file extension: browsers do not know all of these types. */
const FORMATS: Readonly<Record<string, { kind: MediaKind; mimeType: string }>> = {
  jpg: { kind: 'image', mimeType: 'image/jpeg' },
  jpeg: { kind: 'image', mimeType: 'image/jpeg' },
  png: { kind: 'image', mimeType: 'image/png' },
  webp: { kind: 'sticker', mimeType: 'image/webp' },
  mp4: { kind: 'video', mimeType: 'video/mp4' },
  '3gp': { kind: 'video', mimeType: 'video/3gpp' },
  pdf: { kind: 'document', mimeType: 'application/pdf' },
  doc: { kind: 'document', mimeType: 'application/msword' },
  docx: { kind: 'document', mimeType: `${OFFICE}.wordprocessingml.document` },
  xls: { kind: 'document', mimeType: 'application/vnd.ms-excel' },
  xlsx: { kind: 'document', mimeType: `${OFFICE}.spreadsheetml.sheet` },
  ppt: { kind: 'document', mimeType: 'application/vnd.ms-powerpoint' },
  pptx: { kind: 'document', mimeType: `${OFFICE}.presentationml.presentation` },
  mp3: { kind: 'audio', mimeType: 'audio/mpeg' },
  ogg: { kind: 'audio', mimeType: 'audio/ogg' },
  amr: { kind: 'audio', mimeType: 'audio/amr' },
};

const WORDS: Record<MediaKind, string> = {
  image: 'An image',
  video: 'A video',
  document: 'A document',
  audio: 'An audio file',
  sticker: 'A sticker',
};

/**
 * Why a WebP file is not accepted as an image, and the fix. The spec lists it as one; the platform only accepts it as a
 * sticker.
 */
export const WEBP_IS_FOR_STICKERS =
  'WebP is for stickers: use a JPEG or PNG file, or send it with “Send a sticker”.';

/** Whether a URL refers to a WebP file. */
export const isWebpUrl = (url: string): boolean =>
  URL.canParse(url) && /\.webp$/i.test(new URL(url).pathname);

export interface MediaFormat {
  kind: MediaKind;
  mimeType: string;
}

/** The kind of a file, by its name; or why the platform would refuse it. @param kind the kind to send it as; left out: any */
export function checkMediaFile(
  name: string,
  bytes: number,
  kind?: MediaKind,
): { format: MediaFormat; problem?: undefined } | { format?: undefined; problem: string } {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const format = Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined;
  if (!format || (kind && format.kind !== kind)) {
    const subject = kind ? WORDS[kind] : 'A file';
    const problem = `${subject} must be ${endingsOf(kind).join(', ')}; this is ${ending || 'without an extension'}.`;
    return { problem: ending === 'webp' ? `${problem} ${WEBP_IS_FOR_STICKERS}` : problem };
  }
  if (bytes === 0) return { problem: 'The file is empty.' };
  const limit = MAX_MEDIA_BYTES[format.kind];
  if (bytes <= limit) return { format };
  return {
    problem: `${WORDS[format.kind]} can have at most ${limitWords(limit)}; this one has ${(bytes / MEGABYTE).toFixed(1)} MB.`,
  };
}

const limitWords = (bytes: number): string =>
  bytes < MEGABYTE ? `${bytes / KILOBYTE} KB` : `${bytes / MEGABYTE} MB`;

/** For the `accept` of a file input, and for messages. */
export const endingsOf = (kind: MediaKind | undefined): string[] =>
  Object.keys(FORMATS).filter((ending) => kind === undefined || FORMATS[ending]?.kind === kind);

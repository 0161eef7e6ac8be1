const MAX_CHARACTERS = 120;

/** Extensions of common files from customers. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
};

/** `Audio/OGG; codecs=opus` → `audio/ogg`. */
const bareMimeType = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase();

/**
 * A name that is safe as the last part of a path and of a URL, and that is displayed unchanged: characters that reverse the
 * direction of text make `fdp.exe` look like `exe.pdf`. @param given may be empty
 */
export function fileNameOf(given: string, mediaId: string, mimeType: string): string {
  const name = given
    .replace(/[\u0000-\u001f\u007f/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '_')
    .replace(/^\.+/, '')
    .trim();
  if (name !== '') return name.slice(-MAX_CHARACTERS);
  const extension = EXTENSIONS[bareMimeType(mimeType)] ?? 'bin';
  return `media-${mediaId.replace(/\W/g, '').slice(-MAX_CHARACTERS)}.${extension}`;
}

/** Makes browsers save the file under its name (RFC 6266), also without support for UTF-8 names. */
export function contentDisposition(filename: string): string {
  const ascii = filename.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

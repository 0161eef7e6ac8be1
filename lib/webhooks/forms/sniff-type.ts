import { fileTypeFromBuffer } from 'file-type';

/** Enough for every format with a signature; a library never sees more of a stranger's file. */
export const SNIFFED_BYTES = 64 * 1024;

const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;

/** The media type of a file by its first bytes, at most `SNIFFED_BYTES`. Whatever text there is, it is plain text. */
export async function sniffType(start: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  return found?.mime ?? (isText(start) ? 'text/plain' : 'application/octet-stream');
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.byteLength === 0) return false;
  try {
    // The last character may be cut off.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return !CONTROL_CHARACTERS.test(text);
  } catch {
    return false;
  }
}

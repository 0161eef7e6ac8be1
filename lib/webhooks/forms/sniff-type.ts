import { fileTypeFromBuffer } from 'file-type';

/** Enough for every format with a signature, and a bound on untrusted input for the library. */
export const SNIFFED_BYTES = 64 * 1024;

const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;

/** The media type of a file by its first bytes, at most `SNIFFED_BYTES`. Any text is plain text. */
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

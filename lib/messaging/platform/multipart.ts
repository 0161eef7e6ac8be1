import { randomUUID } from 'node:crypto';

/** A body that is sent piece by piece, so that a large file is never completely in memory. */
export interface StreamedBody {
  contentType: string;
  bytes: number;
  chunks: () => AsyncIterable<Uint8Array>;
}

/** Fields and one file as multipart/form-data (RFC 7578; names escaped like in browsers). */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: { name: string; mimeType: string; content: Blob },
): StreamedBody {
  const boundary = `patchbay-${randomUUID()}`;
  const part = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${more}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(name)}\r\n${value}\r\n`);
  const fileHead = `${part('file', `; filename="${escapeName(file.name)}"`)}Content-Type: ${file.mimeType}\r\n\r\n`;
  const head = Buffer.from([...texts, fileHead].join(''));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + file.content.size + tail.length,
    chunks: async function* () {
      yield head;
      yield* file.content.stream();
      yield tail;
    },
  };
}

const escapeName = (name: string): string =>
  name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));

import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#lib/core/errors.ts';
import { checkMediaFile, type MediaFormat } from './media-formats.ts';

export interface IncomingFile {
  /** With its ending, which says what it is. */
  fileName: string;
  /** As declared by the sender, if at all; received bytes are counted. */
  bytes: number | undefined;
  content: AsyncIterable<Uint8Array>;
}

/**
 * Checks a file's type and size, and keeps it in a temporary file while `work` sends it on: a token that has ended is
 * renewed and the file sent again, and none is in memory whole.
 * @throws AppError `unsupported_media_type`, `body_too_large`
 */
export async function receiveFile<Result>(
  input: IncomingFile,
  work: (file: MediaFormat & { content: Blob }) => Promise<Result>,
): Promise<Result> {
  const format = check(input.fileName, input.bytes ?? 1);
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-upload-'));
  try {
    const path = join(folder, 'file');
    await pipeline(counted(input), createWriteStream(path, { mode: 0o600 }));
    const content = await openAsBlob(path, { type: format.mimeType });
    check(input.fileName, content.size);
    return await work({ ...format, content });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function check(fileName: string, bytes: number): MediaFormat {
  const { format, problem } = checkMediaFile(fileName, bytes);
  if (format) return format;
  const isKnown = checkMediaFile(fileName, 1).format !== undefined;
  throw new AppError(isKnown ? 'body_too_large' : 'unsupported_media_type', problem);
}

async function* counted({ fileName, content }: IncomingFile): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    check(fileName, bytes);
    yield chunk;
  }
}

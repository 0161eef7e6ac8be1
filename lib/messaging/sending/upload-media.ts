import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#lib/core/errors.ts';
import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import { loadConnectionRow, recordUse } from '#lib/messaging/connections/connection-rows.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { uploadMedia as upload } from '#lib/messaging/platform/media.ts';
import { checkMediaFile, type MediaFormat, type MediaKind } from './media-formats.ts';

export interface MediaUpload extends IncomingFile {
  connectionId: string;
  phoneNumberId: string;
}

export interface UploadedMedia {
  media_id: string;
  kind: MediaKind;
}

/**
 * Uploads a file to the platform, so that messages can refer to its id. Type and size are checked first (spec, send_media).
 * @throws AppError `unsupported_media_type`, `body_too_large`, `not_found`, `upstream_failed`
 */
export async function uploadMedia(ctx: MessagingActorContext, input: MediaUpload): Promise<UploadedMedia> {
  const { connectionId, phoneNumberId, fileName: name } = input;
  return receiveFile(input, async ({ kind, mimeType, content }) => {
    await loadConnectionRow(ctx, connectionId);
    const media_id = await callForScreen(ctx, connectionId, 'The file was not uploaded', (access) =>
      upload(access, phoneNumberId, { name, mimeType, content }),
    );
    await ctx.db.transaction((tx) => recordUse(ctx, tx, connectionId, 'connection.media_uploaded'));
    return { media_id, kind };
  });
}

export interface IncomingFile {
  /** With its extension, which determines the type. */
  fileName: string;
  /** Declared by the sender, if at all; received bytes are counted. */
  bytes: number | undefined;
  content: AsyncIterable<Uint8Array>;
}

/**
 * Checks a file's type and size, and stores it in a temporary file while `work` forwards it: an expired token is renewed and
 * the file sent again, and it is never completely in memory.
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

import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { loadConnectionRow } from '#lib/messaging/connections/load-connection.ts';
import { recordUse } from '#lib/messaging/connections/record-use.ts';
import { AppError } from '#lib/core/errors.ts';
import { uploadMedia as upload } from '#lib/messaging/platform/media.ts';
import { checkMediaFile, type MediaFormat, type MediaKind } from './media-formats.ts';

export interface MediaUpload {
  connectionId: string;
  phoneNumberId: string;
  /** With its ending, which says what it is. */
  fileName: string;
  /** As the sender announces it, if it does; what comes is counted. */
  bytes: number | undefined;
  content: AsyncIterable<Uint8Array>;
}

export interface UploadedMedia {
  media_id: string;
  kind: MediaKind;
}

/**
 * Hands a file to the platform, so that messages can name its id. Type and size are checked before (spec, send_media).
 * It waits in a temporary file: a token that has ended is renewed and the file sent again, and none is in memory whole.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `not_found`, `upstream_failed`
 */
export async function uploadMedia(ctx: MessagingActorContext, input: MediaUpload): Promise<UploadedMedia> {
  const { connectionId, phoneNumberId, fileName } = input;
  const { mimeType, kind } = check(fileName, input.bytes ?? 1);
  await loadConnectionRow(ctx, connectionId);
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-upload-'));
  try {
    const path = join(folder, 'file');
    await pipeline(counted(input), createWriteStream(path, { mode: 0o600 }));
    const content = await openAsBlob(path, { type: mimeType });
    check(fileName, content.size);
    const media_id = await callForScreen(ctx, connectionId, 'The file was not uploaded', (access) =>
      upload(access, phoneNumberId, { name: fileName, mimeType, content }),
    );
    await ctx.db.transaction((tx) => recordUse(ctx, tx, connectionId, 'connection.media_uploaded'));
    return { media_id, kind };
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

async function* counted({ fileName, content }: MediaUpload): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    check(fileName, bytes);
    yield chunk;
  }
}

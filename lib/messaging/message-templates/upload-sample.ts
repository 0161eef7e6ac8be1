import { AppError } from '#lib/core/errors.ts';
import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { loadConnectionRow } from '#lib/messaging/connections/load-connection.ts';
import { recordUse } from '#lib/messaging/connections/record-use.ts';
import { uploadSampleFile } from '#lib/messaging/platform/sample-upload.ts';
import { type IncomingFile, receiveFile } from '#lib/messaging/sending/receive-file.ts';
import { SAMPLE_MIME_TYPES } from './schema/sample-formats.ts';

/**
 * Uploads a sample file for the header of a message template.
 * @returns the handle for `example.header_handle`
 * @throws AppError `unsupported_media_type`, `body_too_large`, `not_found`, `upstream_failed`
 */
export async function uploadSample(
  ctx: MessagingActorContext,
  input: IncomingFile & { connectionId: string },
): Promise<{ handle: string }> {
  const { connectionId, fileName: name } = input;
  return receiveFile(input, async ({ mimeType, content }) => {
    if (!SAMPLE_MIME_TYPES.includes(mimeType))
      throw new AppError('unsupported_media_type', 'A sample file must be jpg, jpeg, png, mp4 or pdf.');
    await loadConnectionRow(ctx, connectionId);
    const handle = await callForScreen(ctx, connectionId, 'The file was not uploaded', (access) =>
      uploadSampleFile(access, { name, mimeType, content }),
    );
    await ctx.db.transaction((tx) => recordUse(ctx, tx, connectionId, 'connection.media_uploaded'));
    return { handle };
  });
}

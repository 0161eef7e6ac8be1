import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { loadConnectionRow } from '#lib/messaging/connections/load-connection.ts';
import { recordUse } from '#lib/messaging/connections/record-use.ts';
import { uploadMedia as upload } from '#lib/messaging/platform/media.ts';
import type { MediaKind } from './media-formats.ts';
import { type IncomingFile, receiveFile } from './receive-file.ts';

export interface MediaUpload extends IncomingFile {
  connectionId: string;
  phoneNumberId: string;
}

export interface UploadedMedia {
  media_id: string;
  kind: MediaKind;
}

/**
 * Uploads a file to the platform, so that messages can name its id. Type and size are checked before (spec, send_media).
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

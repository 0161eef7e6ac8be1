import { TaskError } from '#lib/engine/task-executor.ts';
import type { MediaSource } from '#lib/messaging/platform/messages.ts';
import type { ActionCall, ActionResult } from './call.ts';
import { accept } from './fields.ts';
import { findMediaProblem, MEDIA_TYPES, readChoice } from './rules.ts';

/** Spec, send_media: with media_url the platform downloads the file; `id` stands in for `link` with media_id. */
export async function sendMedia(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  const { phoneNumberId, recipient, note } = call.target();
  const mediaType = accept(readChoice('media_type', fields.required('media_type'), MEDIA_TYPES));
  const mediaUrl = fields.text('media_url');
  const mediaId = fields.text('media_id');
  const caption = fields.text('caption');
  const filename = fields.text('filename');
  const problem = findMediaProblem({ mediaType, mediaUrl, mediaId, caption, filename });
  if (problem) throw new TaskError('media_failure', `Media failure: ${problem.message}`);
  const source: MediaSource = mediaUrl === '' ? { id: mediaId } : { link: mediaUrl };
  const message = {
    type: 'media' as const,
    mediaType,
    source,
    caption: caption || undefined,
    filename: filename || undefined,
  };
  const sent = await call.send(message, { phoneNumberId, recipient });
  return {
    output: { ...sent, recipient, media_type: mediaType, ...note },
    runText: 'Media sent successfully.',
  };
}

import { TaskError } from '#lib/engine/task-executor.ts';
import { findTemplateFacts } from '#lib/messaging/message-templates/find-template-facts.ts';
import { slotsOf } from '#lib/messaging/message-templates/schema/describe-template.ts';
import type { MediaSource, OutgoingMessage } from '#lib/messaging/platform/messages.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import { findWindow, isWindowClosed } from '#lib/messaging/sending/find-window.ts';
import type { ActionCall, ActionResult } from './call.ts';
import { accept, type Fields } from './fields.ts';
import { fillFallback, fillSlots, findSlots } from './fill-template.ts';
import { findMediaProblem, MEDIA_TYPES, readBoolean, readChoice, readMessageText } from './rules.ts';
import { readParameters } from './template-settings.ts';
import { windowExpired } from './failures.ts';

/** Spec, send_media: with media_url the platform downloads the file; with media_id, `id` replaces `link`. */
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

/** Spec, send_template: works at any time, without a window. */
export async function sendTemplate(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  fields.required('business_account_id');
  const { phoneNumberId, recipient, note } = call.target();
  const slots = await findSlots(call, readTemplateName(fields));
  const message = readTemplateMessage(fields, slots);
  const sent = await call.send(message, { phoneNumberId, recipient });
  return {
    output: { ...sent, recipient, template_name: message.name, ...note },
    runText: 'Template sent successfully.',
  };
}

/** Which message template the fields name. @throws TaskError */
export const readTemplateName = (fields: Fields): { name: string; language: string } => ({
  name: fields.required('template_name'),
  language: fields.text('template_language') || 'en_US',
});

/** The message template that the fields name, with its values. @param slots undefined: unknown. @throws TaskError */
export const readTemplateMessage = (
  fields: Fields,
  slots: readonly TemplateSlot[] | undefined,
): Extract<OutgoingMessage, { type: 'template' }> => ({
  type: 'template',
  ...readTemplateName(fields),
  values: fillSlots(fields, slots),
});

/**
 * Spec, send_text: the 24-hour window is checked first. Where the customer's last message is known from notifications, it
 * decides; otherwise the platform does. The fallback template, if any, is sent when the window is closed.
 */
export async function sendText(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  const { phoneNumberId, recipient, note } = call.target();
  const body = accept(readMessageText(fields.message('message_text')));
  const previewUrl = accept(readBoolean('preview_url', fields.value('preview_url')));
  const fallback = await readFallback(call);
  const sendFallback = async (): Promise<ActionResult> => {
    const sent = await call.send(fallback as OutgoingMessage, { phoneNumberId, recipient });
    const output = {
      ...sent,
      recipient,
      sent: 'template',
      template_name: fallback?.name ?? '',
      ...note,
    };
    return { output, runText: 'Template sent successfully.' };
  };
  const window = await findWindow(call.ctx, { phoneNumberId, customer: recipient });
  if (window && isWindowClosed(window, call.now)) {
    if (fallback) return sendFallback();
    throw windowExpired(window.lastMessageAt, 'Use send_template, or name a fallback template.');
  }
  try {
    const sent = await call.send({ type: 'text', body, previewUrl }, { phoneNumberId, recipient });
    return {
      output: { ...sent, recipient, sent: 'text', ...note },
      runText: 'Text message sent successfully.',
    };
  } catch (error) {
    const isClosed = error instanceof PlatformError && error.kind === 'window';
    if (!isClosed || !fallback) throw error;
    await call.withdraw();
    return sendFallback();
  }
}

async function readFallback(
  call: ActionCall,
): Promise<Extract<OutgoingMessage, { type: 'template' }> | undefined> {
  const { fields, ctx } = call;
  const name = fields.text('fallback_template_name');
  if (name === '') return undefined;
  const language = fields.text('fallback_template_language') || 'en_US';
  const given = accept(
    readParameters(fields.parameters('fallback_template_parameters')),
    'invalid_parameters',
  );
  const connectionId = call.connectionId();
  const facts = await findTemplateFacts(ctx, { connectionId, businessAccountId: '', name, language });
  return { type: 'template', name, language, values: fillFallback(given, facts && slotsOf(facts)) };
}

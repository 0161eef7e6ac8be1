import { isJsonObject, type JsonObject } from '#lib/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { Change, MessageChange } from './parse-notification.ts';

/**
 * A change as the workflows that subscribe to it receive it: a flat object with the fields that mark_as_read and
 * send_text need (spec, Events 2), and the platform's own one as `raw`.
 */
export function friendlyChange(change: Change, connectionId: string): JsonObject {
  const { kind, businessAccountId, raw } = change;
  const common = { business_account_id: businessAccountId, connection_id: connectionId };
  if (kind === 'message') return { kind, ...friendlyMessage(change), ...common, raw };
  if (kind === 'status') {
    const { messageId, status, recipient, phoneNumberId, at } = change;
    const errors = change.errors.map((error) => ({ ...error }));
    const ids = { message_id: messageId, status, recipient, phone_number_id: phoneNumberId };
    return { kind, ...ids, timestamp: unixSeconds(at), errors, ...common, raw };
  }
  const { templateId, name, language, status, reason } = change;
  return {
    kind,
    template_id: templateId,
    template_name: name,
    template_language: language,
    status,
    reason,
    ...common,
    raw,
  };
}

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

const MEDIA_TYPES = ['image', 'video', 'document', 'audio', 'sticker', 'voice'];

function friendlyMessage({
  raw,
  messageId,
  from,
  fromName,
  at,
  phoneNumberId,
  displayPhoneNumber,
}: MessageChange): JsonObject {
  const type = toText(raw['type']) || 'unknown';
  const content = isJsonObject(raw[type]) ? raw[type] : {};
  const button = buttonOf(type, content);
  const context = isJsonObject(raw['context']) ? raw['context'] : {};
  const message: JsonObject = {
    message_id: messageId,
    from,
    from_name: fromName,
    type,
    text: textOf(type, content) || toText(button?.['text']),
    timestamp: unixSeconds(at),
    phone_number_id: phoneNumberId,
    display_phone_number: displayPhoneNumber,
  };
  if (button) message['button'] = button;
  if (context['id'] !== undefined) message['reply_to'] = context['id'];
  return MEDIA_TYPES.includes(type) ? { ...message, ...mediaOf(content) } : message;
}

const textOf = (type: string, content: JsonObject): string =>
  toText(type === 'text' ? content['body'] : type === 'reaction' ? content['emoji'] : content['caption']);

function buttonOf(type: string, content: JsonObject): JsonObject | undefined {
  if (type === 'button') return { text: toText(content['text']), payload: toText(content['payload']) };
  if (type !== 'interactive') return undefined;
  const reply = content[toText(content['type'])];
  return isJsonObject(reply) ? { text: toText(reply['title']), payload: toText(reply['id']) } : undefined;
}

function mediaOf(content: JsonObject): JsonObject {
  const media: JsonObject = { media_id: toText(content['id']), mime_type: toText(content['mime_type']) };
  if (content['filename'] !== undefined) media['filename'] = content['filename'];
  return media;
}

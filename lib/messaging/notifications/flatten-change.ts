import { parseJson } from '#lib/core/json/parse-json.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { Change, MessageChange } from './notification-types.ts';
import { readObject, toUnixSeconds } from './read-field.ts';

/**
 * A change as subscribed workflows receive it, and as it is stored without any: a flat object with the fields that mark_as_read
 * and send_text need (spec, Events 2), and the platform's own object as `raw`.
 */
export function flattenChange(change: Change, connectionId: string): JsonObject {
  const { kind, businessAccountId, raw } = change;
  return {
    kind,
    ...ownFields(change),
    business_account_id: businessAccountId,
    connection_id: connectionId,
    raw,
  };
}

function ownFields(change: Change): JsonObject {
  switch (change.kind) {
    case 'message':
      return flattenMessage(change);
    case 'status': {
      const { messageId, status, recipient, phoneNumberId, at } = change;
      const errors = change.errors.map((error) => ({ ...error }));
      return {
        message_id: messageId,
        status,
        recipient,
        ...(change.userId === '' ? {} : { recipient_user_id: change.userId }),
        phone_number_id: phoneNumberId,
        timestamp: toUnixSeconds(at),
        errors,
        ...(change.pricing === null ? {} : { pricing: { ...change.pricing } }),
      };
    }
    case 'template': {
      const { templateId, name, language, status, reason } = change;
      return {
        template_id: templateId,
        template_name: name,
        template_language: language,
        status,
        reason,
      };
    }
    case 'preference': {
      const { from, userId, category, preference, detail, phoneNumberId, at } = change;
      return {
        from,
        ...(userId === '' ? {} : { from_user_id: userId }),
        category,
        preference,
        detail,
        phone_number_id: phoneNumberId,
        timestamp: toUnixSeconds(at),
      };
    }
    case 'echo': {
      const { messageId, recipient, userId, phoneNumberId, displayPhoneNumber, at } = change;
      return {
        message_id: messageId,
        recipient,
        ...(userId === '' ? {} : { recipient_user_id: userId }),
        timestamp: toUnixSeconds(at),
        phone_number_id: phoneNumberId,
        display_phone_number: displayPhoneNumber,
        ...flattenContent(change.raw),
      };
    }
    case 'other':
      return { field: change.field, phone_number_id: change.phoneNumberId };
  }
}

const MEDIA_TYPES = ['image', 'video', 'document', 'audio', 'sticker', 'voice'];
/** Their content is an object under its own name. */
const OBJECT_TYPES = ['location', 'reaction', 'order', 'system', 'edit', 'revoke', 'unsupported'];

/** A customer's message with the same fields for all types; `text` is its readable text. */
function flattenMessage(change: MessageChange): JsonObject {
  const { raw, messageId, from, fromUserId, fromName, fromUsername, groupId, at } = change;
  return {
    message_id: messageId,
    from,
    ...(fromUserId === null ? {} : { from_user_id: fromUserId }),
    from_name: fromName,
    ...(fromUsername === null ? {} : { from_username: fromUsername }),
    ...(groupId === null ? {} : { group_id: groupId }),
    timestamp: toUnixSeconds(at),
    phone_number_id: change.phoneNumberId,
    display_phone_number: change.displayPhoneNumber,
    ...flattenContent(raw),
  };
}

/** The fields of a message, from either side. @param raw as the platform sends it */
function flattenContent(raw: JsonObject): JsonObject {
  const type = toText(raw['type']) || 'unknown';
  const content = readObject(raw[type]);
  const reply = replyOf(type, content);
  const context = readObject(raw['context']);
  return {
    type,
    text: textOf(type, content) || toText(readObject(reply['button'])['text']),
    ...reply,
    ...(context['id'] === undefined ? {} : { reply_to: context['id'] }),
    ...(raw['referral'] === undefined ? {} : { referral: raw['referral'] }),
    ...(raw['errors'] === undefined ? {} : { errors: raw['errors'] }),
    ...(MEDIA_TYPES.includes(type) ? mediaOf(content) : {}),
    ...(OBJECT_TYPES.includes(type) ? { [type]: content } : {}),
    ...(type === 'contacts' ? { contacts: raw['contacts'] ?? [] } : {}),
  };
}

function textOf(type: string, content: JsonObject): string {
  switch (type) {
    case 'text':
    case 'system':
      return toText(content['body']);
    case 'reaction':
      return toText(content['emoji']);
    case 'order':
      return toText(content['text']);
    case 'location':
      return [content['name'], content['address']].map(toText).filter(Boolean).join(', ');
    case 'edit': {
      const message = readObject(content['message']);
      const editedType = toText(message['type']);
      return editedType === 'edit' ? '' : textOf(editedType, readObject(message[editedType]));
    }
    default:
      return toText(content['caption']);
  }
}

/** The part that the customer tapped or filled in: a button, a row of a list, or a flow. */
function replyOf(type: string, content: JsonObject): JsonObject {
  if (type === 'button')
    return { button: { text: toText(content['text']), payload: toText(content['payload']) } };
  if (type !== 'interactive') return {};
  const kind = toText(content['type']);
  const reply = readObject(content[kind]);
  if (kind === 'nfm_reply')
    return { flow_reply: { name: toText(reply['name']), response: flowResponse(reply) } };
  const button: JsonObject = { text: toText(reply['title']), payload: toText(reply['id']) };
  if (reply['description'] !== undefined) button['description'] = reply['description'];
  return { button };
}

/** The platform sends the answers of a flow as JSON in a string. */
function flowResponse(reply: JsonObject): JsonValue {
  const text = toText(reply['response_json']);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return text;
    throw error;
  }
}

function mediaOf(content: JsonObject): JsonObject {
  const media: JsonObject = { media_id: toText(content['id']), mime_type: toText(content['mime_type']) };
  if (content['filename'] !== undefined) media['filename'] = content['filename'];
  if (content['voice'] !== undefined) media['voice'] = content['voice'];
  return media;
}

// Notifications of the platform, read tolerantly: `{entry:[{id, time, changes:[{field, value}]}]}`, batched, at least
// once, in any order. What is not understood is left out.
import { createHash } from 'node:crypto';
import { stringifyJson } from '#lib/json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { MessageStatus, StatusError } from './message-status.ts';

interface ChangeBase {
  /** The same for every copy of the same change. */
  key: string;
  businessAccountId: string;
  raw: JsonObject;
}

export interface MessageChange extends ChangeBase {
  kind: 'message';
  messageId: string;
  phoneNumberId: string;
  displayPhoneNumber: string;
  from: string;
  fromName: string | null;
  at: Date;
}

export interface StatusChange extends ChangeBase {
  kind: 'status';
  messageId: string;
  phoneNumberId: string;
  recipient: string;
  status: Exclude<MessageStatus, 'accepted'>;
  at: Date;
  errors: StatusError[];
}

export interface TemplateChange extends ChangeBase {
  kind: 'template';
  templateId: string;
  name: string;
  language: string;
  status: string;
  reason: string | null;
}

export type Change = MessageChange | StatusChange | TemplateChange;

const STATUSES: readonly string[] = ['sent', 'delivered', 'read', 'failed'];

/** The changes of a notification that matter here, in the order of the text. */
export function parseNotification(body: JsonValue): Change[] {
  return objects(isJsonObject(body) ? body['entry'] : undefined).flatMap((entry) =>
    objects(entry['changes']).flatMap((change): Change[] => {
      const value = isJsonObject(change['value']) ? change['value'] : {};
      const businessAccountId = toText(entry['id']);
      if (change['field'] === 'messages')
        return [...messagesOf(value, businessAccountId), ...statusesOf(value, businessAccountId)];
      if (change['field'] === 'message_template_status_update')
        return [templateOf(value, businessAccountId, toText(entry['time']))];
      return [];
    }),
  );
}

function messagesOf(value: JsonObject, businessAccountId: string): MessageChange[] {
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {};
  const names = new Map(
    objects(value['contacts']).map((contact) => [
      toText(contact['wa_id']),
      isJsonObject(contact['profile']) ? toText(contact['profile']['name']) : '',
    ]),
  );
  return objects(value['messages']).flatMap((raw): MessageChange[] => {
    const messageId = toText(raw['id']);
    const from = toText(raw['from']);
    const at = instantOf(raw['timestamp']);
    if (messageId === '' || from === '' || !at) return [];
    return [
      {
        kind: 'message',
        key: `message:${messageId}`,
        businessAccountId,
        raw,
        messageId,
        phoneNumberId: toText(metadata['phone_number_id']),
        displayPhoneNumber: toText(metadata['display_phone_number']),
        from,
        fromName: names.get(from) || null,
        at,
      },
    ];
  });
}

function statusesOf(value: JsonObject, businessAccountId: string): StatusChange[] {
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {};
  return objects(value['statuses']).flatMap((raw): StatusChange[] => {
    const messageId = toText(raw['id']);
    const status = toText(raw['status']);
    const at = instantOf(raw['timestamp']);
    if (messageId === '' || !STATUSES.includes(status) || !at) return [];
    return [
      {
        kind: 'status',
        key: `status:${messageId}:${status}`,
        businessAccountId,
        raw,
        messageId,
        phoneNumberId: toText(metadata['phone_number_id']),
        recipient: toText(raw['recipient_id']),
        status: status as StatusChange['status'],
        at,
        errors: readStatusErrors(raw['errors']),
      },
    ];
  });
}

/** A template can be approved, paused and approved again: only copies of one notification are the same change. */
function templateOf(raw: JsonObject, businessAccountId: string, time: string): TemplateChange {
  const fingerprint = createHash('sha256')
    .update(stringifyJson([time, raw]))
    .digest('base64url');
  const reason = toText(raw['reason']);
  return {
    kind: 'template',
    key: `template:${fingerprint}`,
    businessAccountId,
    raw,
    templateId: toText(raw['message_template_id']),
    name: toText(raw['message_template_name']),
    language: toText(raw['message_template_language']),
    status: toText(raw['event']),
    reason: reason === '' || reason === 'NONE' ? null : reason,
  };
}

/** `errors:[{code, title, message, error_data:{details}}]`, as statuses carry them. */
function readStatusErrors(value: JsonValue | undefined): StatusError[] {
  return objects(value).map((error) => ({
    code: Number(toText(error['code'])) || 0,
    ...(typeof error['title'] === 'string' ? { title: error['title'] } : {}),
    ...(typeof error['message'] === 'string' ? { message: error['message'] } : {}),
    ...(error['error_data'] === undefined ? {} : { error_data: error['error_data'] }),
  }));
}

const objects = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Unix seconds. */
function instantOf(value: JsonValue | undefined): Date | undefined {
  const seconds = Number(toText(value) || Number.NaN);
  return seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : undefined;
}

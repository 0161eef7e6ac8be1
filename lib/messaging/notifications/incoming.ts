// The platform's notifications for waiting runs (docs/messaging.md, Notifications).
import type { JsonObject } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { Customer } from '#lib/messaging/customers/customer-names.ts';
import type { StatusError } from '#lib/messaging/schema/message-statuses.ts';
import type { ChangeOwner, MessageChange, StatusChange } from './notification-types.ts';
import { readObject } from './read-field.ts';

interface IncomingBase {
  workspaceId: string;
  connectionId: string;
  phoneNumberId: string;
  /** Null: a group, or a customer whom the platform does not identify. */
  customer: Customer | null;
  /** When it happened, by the platform's clock. */
  at: Date;
}

/** A message of a customer. */
export interface IncomingMessage extends IncomingBase {
  kind: 'message';
  messageId: string;
  /** Null: not in a group. */
  groupId: string | null;
  /** The platform's type: `text`, `interactive`, `image`, … */
  type: string;
  /** Its readable text; empty: none. */
  text: string;
  /** The button or row that was tapped. */
  choice: { id: string; title: string } | null;
  /** The message that it replies to. */
  contextMessageId: string | null;
  /** All fields for workflows. */
  fields: JsonObject;
}

/** A status of a message that was sent. */
export interface IncomingStatus extends IncomingBase {
  kind: 'status';
  messageId: string;
  status: StatusChange['status'];
  errors: StatusError[];
  /** The callback data of the message; empty: none. */
  callbackData: string;
}

export type Incoming = IncomingMessage | IncomingStatus;

/**
 * @param fields of the change, as workflows receive them
 * @param customer from the notification
 */
export function toIncomingMessage(
  { workspaceId, connectionId }: ChangeOwner,
  change: MessageChange,
  fields: JsonObject,
  customer: Customer | null,
): IncomingMessage {
  const button = readObject(fields['button']);
  return {
    kind: 'message',
    workspaceId,
    connectionId,
    phoneNumberId: change.phoneNumberId,
    customer,
    at: change.at,
    messageId: change.messageId,
    groupId: change.groupId,
    type: toText(fields['type']),
    text: toText(fields['text']),
    choice:
      fields['button'] === undefined
        ? null
        : { id: toText(button['payload']), title: toText(button['text']) },
    contextMessageId: toText(fields['reply_to']) || null,
    fields,
  };
}

export const toIncomingStatus = (
  { workspaceId, connectionId }: ChangeOwner,
  { phoneNumberId, messageId, status, at, errors, raw }: StatusChange,
  customer: Customer | null,
): IncomingStatus => ({
  kind: 'status',
  workspaceId,
  connectionId,
  phoneNumberId,
  customer,
  at,
  messageId,
  status,
  errors,
  callbackData: toText(raw['biz_opaque_callback_data']),
});

// The content of the platform's notifications, one change per occurrence.
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import type { MessageStatus, StatusError, StatusPricing } from '#lib/messaging/schema/message-statuses.ts';

/** The connection that a change was received by. */
export interface ChangeOwner {
  workspaceId: string;
  connectionId: string;
}

/** A change with its connection. */
export interface Owned<Kind> {
  owner: ChangeOwner;
  change: Kind;
}

interface ChangeBase {
  /** The same for every copy of the same change. */
  key: string;
  businessAccountId: string;
}

export interface MessageChange extends ChangeBase {
  kind: 'message';
  raw: JsonObject;
  messageId: string;
  phoneNumberId: string;
  displayPhoneNumber: string;
  /** The customer's number; their user id where the platform hides the number. */
  from: string;
  /** Empty where the platform hides it. */
  number: string;
  /** The customer's id in the business portfolio, such as `US.1349…`. */
  fromUserId: string | null;
  fromName: string | null;
  fromUsername: string | null;
  groupId: string | null;
  at: Date;
}

export interface StatusChange extends ChangeBase {
  kind: 'status';
  raw: JsonObject;
  messageId: string;
  phoneNumberId: string;
  /** The customer's number or user id; empty where the platform hides both. */
  recipient: string;
  /** Both names of the customer as far as known; empty: unknown, or the recipient is a group. */
  number: string;
  userId: string;
  status: Exclude<MessageStatus, 'accepted'>;
  isOfGroup: boolean;
  at: Date;
  errors: StatusError[];
  pricing: StatusPricing | null;
}

export interface TemplateChange extends ChangeBase {
  kind: 'template';
  raw: JsonObject;
  templateId: string;
  name: string;
  language: string;
  status: string;
  reason: string | null;
}

/** A customer stopped marketing messages, or allows them again. */
export interface PreferenceChange extends ChangeBase {
  kind: 'preference';
  raw: JsonObject;
  phoneNumberId: string;
  /** The customer's number; their user id where the platform hides the number. */
  from: string;
  number: string;
  userId: string;
  /** For example `marketing_messages`. */
  category: string;
  /** `stop` or `resume`. */
  preference: string;
  detail: string;
  at: Date;
}

/** A message of the business to a customer outside the API: from staff in the phone app, or from another app of the account. */
export interface EchoChange extends ChangeBase {
  kind: 'echo';
  raw: JsonObject;
  /** `smb_message_echoes` or `message_echoes`. */
  field: EchoField;
  messageId: string;
  phoneNumberId: string;
  displayPhoneNumber: string;
  /** The customer's number; their user id where the platform hides the number. */
  recipient: string;
  /** Empty where the platform hides it. */
  number: string;
  userId: string;
  at: Date;
}

export type EchoField = 'smb_message_echoes' | 'message_echoes';

/** A change that workflows cannot subscribe to, or of an unknown kind: it is stored unchanged. */
export interface OtherChange extends ChangeBase {
  kind: 'other';
  raw: JsonValue;
  /** The change's `field`; empty: none. */
  field: string;
  phoneNumberId: string;
  /** Its kind is known, so that only its content matters. */
  isKnown: boolean;
  /** Why it is only stored. */
  reason: string;
}

/** What is said of a customer and of messages. */
export type ConversationChange = MessageChange | StatusChange | EchoChange;

export type Change =
  | MessageChange
  | StatusChange
  | TemplateChange
  | PreferenceChange
  | EchoChange
  | OtherChange;

/** The criteria for forwarding a connection's notifications. */
export const SUBSCRIPTION_KINDS = ['messages', 'statuses', 'templates', 'preferences'] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/**
 * Kinds of customers' messages that a trigger can select; each covers several types of the platform
 * (`lib/messaging/notifications/subscribers.ts`).
 */
export const MESSAGE_KINDS = [
  'text',
  'button',
  'media',
  'location',
  'contacts',
  'reaction',
  'order',
  'form',
  'other',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Which messages start a workflow. */
export interface MessageFilter {
  /** Null: to any number of the connection. */
  phoneNumberId: string | null;
  /** Empty: of any kind. */
  messageKinds: MessageKind[];
  /** Empty: any text. */
  words: string[];
  /** They start it although a run of another workflow takes them as its answer. Left out: they do not. */
  isAlsoInConversations?: boolean;
  /** Only those that start no workflow for certain words or kinds (`isForCertain`). Left out: these, too. */
  isForRest?: boolean;
}

/** The messages that start a workflow. */
export interface MessageStart extends MessageFilter {
  connectionId: string;
}

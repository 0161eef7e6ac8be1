/** What a connection's notifications are forwarded by. */
export const SUBSCRIPTION_KINDS = ['messages', 'statuses', 'templates', 'preferences'] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/**
 * Kinds of customers' messages that a trigger can select; each covers several types of the platform
 * (`lib/messaging/notifications/wants-change.ts`).
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

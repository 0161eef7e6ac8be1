import type { JsonValue } from '#lib/core/json/value.ts';

/**
 * In the order in which they follow each other: the spec's four; `accepted`: the platform took the message and has told
 * nothing since; `played`: the customer listened to the voice message.
 */
export const MESSAGE_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** An error of a message, as the platform tells it. */
export interface StatusError {
  code: number;
  title?: string;
  message?: string;
  error_data?: JsonValue;
}

export interface StatusStep {
  status: MessageStatus;
  /** ISO 8601, UTC. */
  at: string;
  errors?: StatusError[];
  /** What the platform charges, as it tells it. */
  pricing?: StatusPricing;
}

export interface StatusPricing {
  /** Such as `marketing`, `utility` or `service`. */
  category: string;
  /** Such as `regular` or `free_customer_service`; empty: not told. */
  type: string;
}

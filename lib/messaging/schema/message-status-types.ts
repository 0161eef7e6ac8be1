import type { JsonValue } from '#lib/core/json/value.ts';

/**
 * In the order in which they follow each other: the spec's four; `accepted`: the platform took the message and has told
 * nothing since; `played`: the customer listened to the voice message.
 */
export const MESSAGE_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** What a send may wait for. */
export const AWAITED_STATUSES = ['delivered', 'read'] as const;
export type AwaitedStatus = (typeof AWAITED_STATUSES)[number];

/** The statuses that end the wait: one that is read or played was delivered, whether or not the platform said so. */
const ENDING: Readonly<Record<AwaitedStatus, readonly MessageStatus[]>> = {
  delivered: ['delivered', 'read', 'played', 'failed'],
  read: ['read', 'played', 'failed'],
};

/** Whether a message that is known to have this status is past waiting for another one. */
export const endsWait = (awaited: AwaitedStatus, status: MessageStatus): boolean =>
  ENDING[awaited].includes(status);

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

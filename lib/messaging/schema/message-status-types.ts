import type { JsonValue } from '#lib/core/json/value.ts';

/**
 * In order: the spec's four; `accepted`: the platform accepted the message and has not reported anything since; `played`: the
 * customer listened to the voice message.
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

/** An error of a message, from the platform. */
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
  /** The platform's price information. */
  pricing?: StatusPricing;
}

export interface StatusPricing {
  /** Such as `marketing`, `utility` or `service`. */
  category: string;
  /** Such as `regular` or `free_customer_service`; empty: missing. */
  type: string;
}

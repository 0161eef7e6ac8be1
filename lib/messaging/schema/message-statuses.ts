import type { JsonValue } from '#lib/core/json/value.ts';

/**
 * In order: the spec's four; `accepted`: the platform accepted the message and has not reported anything since; `played`: the
 * customer listened to the voice message.
 */
export const MESSAGE_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * State of a message that the platform accepted but does not send immediately (`message_status`): the quality of its template
 * is checked first, or the template is paused.
 */
export const WITHHELD = ['held_for_quality_assessment', 'paused'] as const;
export type Withheld = (typeof WITHHELD)[number];

/** @param messageStatus the platform's value; undefined: the message is sent, or none was returned */
export const readWithheld = (messageStatus: string): Withheld | undefined =>
  WITHHELD.find((each) => each === messageStatus);

/** A status for users, including why an accepted message is not sent. */
export type ShownStatus = MessageStatus | Withheld;

/** Statuses that a send can wait for. */
export const AWAITED_STATUSES = ['delivered', 'read'] as const;
export type AwaitedStatus = (typeof AWAITED_STATUSES)[number];

/** The statuses that end the wait: a message that was read or played counts as delivered, even if that was not reported. */
const ENDING: Readonly<Record<AwaitedStatus, readonly MessageStatus[]>> = {
  delivered: ['delivered', 'read', 'played', 'failed'],
  read: ['read', 'played', 'failed'],
};

/** Whether a message with this status no longer has to be waited for. */
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
  /** Only of `accepted`. */
  withheld?: Withheld;
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

// The labels of message statuses. Isomorphic.

/** A word or two, beside a message. */
export const STATUS_LABELS: Readonly<Record<ShownStatus, string>> = {
  accepted: 'Accepted',
  held_for_quality_assessment: 'Held for a quality check',
  paused: 'Not sent: template paused',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  played: 'Played',
  failed: 'Failed',
};

/** Why an accepted message is not sent, and the fix. */
export const WITHHELD_WORDS: Readonly<Record<Withheld, string>> = {
  held_for_quality_assessment:
    'Held by the platform for a quality check of the template: it is delivered, or fails, when the check ends.',
  paused: 'Not sent: the template is paused. Use another template, or edit this one on the platform.',
};

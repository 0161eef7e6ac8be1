import type { JsonValue } from '#lib/core/json/value.ts';

/**
 * In order: the spec's four; `accepted`: the platform accepted the message and has not reported anything since; `played`: the
 * customer listened to the voice message.
 */
export const MESSAGE_STATUSES = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * State of a message that the platform accepted and does not send at once (`message_status`): a check of its template's quality
 * comes first, or the template is paused.
 */
export const WITHHELD = ['held_for_quality_assessment', 'paused'] as const;
export type Withheld = (typeof WITHHELD)[number];

/** @param messageStatus in the platform's words; undefined: the message goes out, or the platform did not say */
export const readWithheld = (messageStatus: string): Withheld | undefined =>
  WITHHELD.find((each) => each === messageStatus);

/** A status as people see it: why a message that was accepted does not go out is part of it. */
export type ShownStatus = MessageStatus | Withheld;

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

// The statuses of messages as people read them. Isomorphic.

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

/** Why a message that the platform accepted does not go out, and what to do. */
export const WITHHELD_WORDS: Readonly<Record<Withheld, string>> = {
  held_for_quality_assessment:
    'Held by the platform for a quality check of the template: it is delivered, or fails, when the check ends.',
  paused: 'Not sent: the template is paused. Use another template, or edit this one on the platform.',
};

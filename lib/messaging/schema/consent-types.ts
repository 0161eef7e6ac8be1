// Types of the register of consent, without server code.

/** `marketing`: message templates of the category MARKETING. `all`: every message. */
export const CONSENT_PURPOSES = ['marketing', 'all'] as const;
export type ConsentPurpose = (typeof CONSENT_PURPOSES)[number];

export const CONSENT_STATES = ['given', 'stopped'] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];

/** A message to a customer on hold is not sent and its task fails, or its run waits for the end of the hold. */
export const HOLD_SENDS = ['suppress', 'wait'] as const;
export type HoldSends = (typeof HOLD_SENDS)[number];

/** Whether the deadlines of questions to a customer run on during a hold, or are suspended. */
export const HOLD_DEADLINES = ['run', 'stand_still'] as const;
export type HoldDeadlines = (typeof HOLD_DEADLINES)[number];

/** `unknown`: the outcome of the call is unknown, and it is not repeated. */
export type ConfirmationStatus = 'queued' | 'sending' | 'sent' | 'not_sent' | 'unknown';

export const EVIDENCE_KINDS = [
  'message',
  'preference',
  'platform_error',
  'echo',
  'run',
  'user',
  'api',
  'import',
] as const;

/** Where a change came from. */
export interface Evidence {
  kind: (typeof EVIDENCE_KINDS)[number];
  /** The customer's message, the message that the platform refused, or the message of staff. */
  message_id?: string;
  /** What the customer wrote. */
  text?: string;
  run_id?: string;
  task_id?: number;
  /** The user, or the API key. */
  actor?: string;
  /** Entered with the change. */
  note?: string;
}

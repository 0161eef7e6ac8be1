// Types of the register of consent, without server code.

/** `marketing`: message templates of the category MARKETING. `all`: every message. */
export const CONSENT_PURPOSES = ['marketing', 'all'] as const;
export type ConsentPurpose = (typeof CONSENT_PURPOSES)[number];

export const CONSENT_STATES = ['given', 'stopped'] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];

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

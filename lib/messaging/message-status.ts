import type { JsonValue } from '#lib/json/value.ts';

/** The spec's four, and `accepted`: the platform took the message and has told nothing since. */
export type MessageStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

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
}

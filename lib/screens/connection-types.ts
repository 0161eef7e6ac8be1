// Data of the connections' screens. Instants are ISO 8601.
import type { NamedWorkflow } from './list-types.ts';
import type { Connection } from '#lib/messaging/connections/schema.ts';

export interface ConnectionRow extends Connection {
  /** Workflows whose tasks use it. */
  workflows: NamedWorkflow[];
}

export interface ReceiverView {
  url: string;
  verifyToken: string;
  lastNotificationAt: string | null;
}

/** On the page of a connection: its card of numbers. */
export const NUMBERS_ANCHOR = 'numbers';

/**
 * Whether people can sign in at the platform. `missing`: it is not set up, only tokens can be used. `without_configuration`: apps
 * that need a login configuration are refused.
 */
export type SignInSetup = 'ready' | 'without_configuration' | 'missing';

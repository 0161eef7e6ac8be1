// What the screens of connections are handed. Instants are ISO 8601.
import type { NamedWorkflow } from './list-types.ts';
import type { Connection } from '#lib/messaging/connections/schema.ts';

export interface ConnectionRow extends Connection {
  /** Workflows whose tasks name it. */
  workflows: NamedWorkflow[];
}

export interface ReceiverView {
  url: string;
  verifyToken: string;
  lastNotificationAt: string | null;
}

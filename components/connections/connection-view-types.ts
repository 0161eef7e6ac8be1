// What the screens of connections are handed. Instants are ISO 8601.
import type { Connection } from '#lib/connections/schema.ts';

export interface NamedWorkflow {
  id: string;
  name: string;
}

export interface ConnectionRow extends Connection {
  /** Workflows whose tasks name it. */
  workflows: NamedWorkflow[];
}

export interface ReceiverView {
  url: string;
  verifyToken: string;
  lastNotificationAt: string | null;
}

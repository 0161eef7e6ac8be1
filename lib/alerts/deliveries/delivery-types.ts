import type { DestinationConfig } from '../alert-types.ts';

/** A claimed delivery. */
export interface DueDelivery {
  id: string;
  workspaceId: string;
  destinationId: string;
  config: DestinationConfig;
  secretEncrypted: string | null;
  attempts: number;
  payload: string;
}

/** Outcome of an attempt. */
export type Attempt =
  | { isDelivered: true; eventId?: string }
  | {
      isDelivered: false;
      problem: string;
      /** A retry would have the same outcome. */
      isFinal: boolean;
    };

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

/** What an attempt came to. */
export type Attempt =
  | { isDelivered: true; eventId?: string }
  | {
      isDelivered: false;
      problem: string;
      /** Another try would end the same way. */
      isFinal: boolean;
    };

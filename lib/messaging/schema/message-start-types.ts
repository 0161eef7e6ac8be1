import type { MessageKind } from '#lib/messaging/schema/subscription-kinds.ts';

/** Which messages start a workflow. */
export interface MessageFilter {
  /** Null: to any number of the connection. */
  phoneNumberId: string | null;
  /** Empty: of any kind. */
  messageKinds: MessageKind[];
  /** Empty: whatever they say. */
  words: string[];
}

/** What a workflow listens to that messages start. */
export interface MessageStart extends MessageFilter {
  connectionId: string;
}

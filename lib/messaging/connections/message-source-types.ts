import type { MessageKind } from '#lib/messaging/schema/subscription-kinds.ts';

/** Which messages of a connection start a workflow. */
export interface MessageFilter {
  /** Null: to any of its numbers. */
  phoneNumberId: string | null;
  /** Empty: of any kind. */
  messageKinds: MessageKind[];
  /** Empty: whatever they say. */
  words: string[];
}

/** A connection as the trigger of a workflow shows it. */
export interface MessageSource {
  id: string;
  name: string;
  /** Null: its messages do not start the workflow. */
  filter: MessageFilter | null;
}

// State between two waits of a question.
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import { WINDOW_HOURS } from '#lib/messaging/schema/messaging.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { toText } from '#lib/variables/to-text.ts';
import { readSaid } from './conversation.ts';

export interface Memory {
  messageId: string;
  /** `message_status` of the question; empty: not returned. */
  messageStatus: string;
  recipient: string;
  /** Milliseconds since 1970; later by as long as holds suspended its time. */
  askedAt: number;
  /** Until then holds that suspended its time are part of `askedAt`. */
  pausedTo: number;
  /** Number of reminders that were due. */
  reminders: number;
  /** Number of those that were not sent, because the window was closed or the customer on hold. */
  leftOut: number;
  retries: number;
  /** All questions and answers. */
  said: SaidMessage[];
}

export const toKept = (memory: Memory): JsonObject => ({ ...memory });

/** Adds messages that were sent or received since. */
export const withSaid = (memory: Memory, ...said: SaidMessage[]): Memory => ({
  ...memory,
  said: [...memory.said, ...said],
});

/** Numbers may be returned as `NumberLiteral`. */
export function readMemory(kept: JsonValue): Memory {
  const fields = isJsonObject(kept) ? kept : {};
  const number = (name: string): number => Number(toText(fields[name])) || 0;
  return {
    messageId: toText(fields['messageId']),
    messageStatus: toText(fields['messageStatus']),
    recipient: toText(fields['recipient']),
    askedAt: number('askedAt'),
    // Missing where a version before holds waited.
    pausedTo: number('pausedTo') || number('askedAt'),
    reminders: number('reminders'),
    leftOut: number('leftOut'),
    retries: number('retries'),
    said: readSaid(fields['said']),
  };
}

/** Words about reminders that were left out, for a run text; empty: none were. */
export const leftOutWords = ({ leftOut }: Memory): string =>
  leftOut === 0
    ? ''
    : ` ${leftOut === 1 ? 'A reminder was' : `${leftOut} reminders were`} left out: the customer’s ${WINDOW_HOURS}-hour window was closed or the customer was on hold.`;

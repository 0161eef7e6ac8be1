// State between two waits of a question.
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import { WINDOW_HOURS } from '#lib/messaging/schema/messaging.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { toText } from '#lib/variables/to-text.ts';
import { readSaid } from './conversation.ts';

export interface Memory {
  /** Of the first question. */
  messageId: string;
  /** Of the current one. */
  lastMessageId: string;
  /** `message_status` of the question; empty: not returned. */
  messageStatus: string;
  recipient: string;
  /** When it was asked first, in milliseconds since 1970. */
  askedAt: number;
  /** When it was asked last. */
  lastAskedAt: number;
  /** When the time for the answer to the current question began: later by as long as holds suspended it. */
  waitsFrom: number;
  /** Until then holds that suspended its time are part of `waitsFrom`. */
  pausedTo: number;
  /** Number of reminders of the current question that were due. */
  reminders: number;
  /** Number of those of earlier questions. */
  earlierReminders: number;
  /** Number of all those that were not sent, because the window was closed or the customer on hold. */
  leftOut: number;
  /** How often it was asked again. */
  retries: number;
  /** All questions and answers. */
  said: SaidMessage[];
}

/** Before the first question is sent. */
export const startMemory = (recipient: string, now: number): Memory => ({
  messageId: '',
  lastMessageId: '',
  messageStatus: '',
  recipient,
  askedAt: now,
  lastAskedAt: now,
  waitsFrom: now,
  pausedTo: now,
  reminders: 0,
  earlierReminders: 0,
  leftOut: 0,
  retries: 0,
  said: [],
});

/** The question was repeated: its time and its reminders begin again. */
export const askedAgain = (memory: Memory, { messageId, at }: { messageId: string; at: number }): Memory => ({
  ...memory,
  lastMessageId: messageId,
  lastAskedAt: at,
  waitsFrom: at,
  pausedTo: at,
  reminders: 0,
  earlierReminders: memory.earlierReminders + memory.reminders,
  retries: memory.retries + 1,
});

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
  // What versions did not know that asked the question is as of the first one.
  const askedAt = number('askedAt');
  return {
    messageId: toText(fields['messageId']),
    lastMessageId: toText(fields['lastMessageId'] ?? fields['messageId']),
    messageStatus: toText(fields['messageStatus']),
    recipient: toText(fields['recipient']),
    askedAt,
    lastAskedAt: number('lastAskedAt') || askedAt,
    waitsFrom: number('waitsFrom') || askedAt,
    pausedTo: number('pausedTo') || askedAt,
    reminders: number('reminders'),
    earlierReminders: number('earlierReminders'),
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

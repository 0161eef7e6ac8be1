// What is kept between two waits of a question.
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { toText } from '#lib/variables/to-text.ts';
import { readSaid } from './conversation.ts';

export interface Memory {
  messageId: string;
  /** Of the question, in the platform's words; empty: it did not say. */
  messageStatus: string;
  recipient: string;
  /** Milliseconds since 1970. */
  askedAt: number;
  /** Whose time has come. */
  reminders: number;
  /** Of them, those that were not sent: the window was closed. */
  leftOut: number;
  retries: number;
  /** Everything that was asked and answered. */
  said: SaidMessage[];
}

export const toKept = (memory: Memory): JsonObject => ({ ...memory });

/** With messages that were sent or received since. */
export const withSaid = (memory: Memory, ...said: SaidMessage[]): Memory => ({
  ...memory,
  said: [...memory.said, ...said],
});

/** Numbers may come back with the digits they were written with. */
export function readMemory(kept: JsonValue): Memory {
  const fields = isJsonObject(kept) ? kept : {};
  const number = (name: string): number => Number(toText(fields[name])) || 0;
  return {
    messageId: toText(fields['messageId']),
    messageStatus: toText(fields['messageStatus']),
    recipient: toText(fields['recipient']),
    askedAt: number('askedAt'),
    reminders: number('reminders'),
    leftOut: number('leftOut'),
    retries: number('retries'),
    said: readSaid(fields['said']),
  };
}

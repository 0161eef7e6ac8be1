// Questions and answers, stored with the wait and returned as output.
import * as z from 'zod';
import type { JsonValue } from '#lib/core/json/value.ts';
import { type ReadConversation, SAID_MESSAGE, type SaidMessage } from '#lib/tasks/conversation.ts';

const outputSchema = z.object({
  recipient: z.string(),
  conversation: z.array(SAID_MESSAGE),
  waits_until: z.string().catch(''),
});

export const readAskConversation: ReadConversation = ({ output, isWaiting }) => {
  const { data } = outputSchema.safeParse(output);
  return (
    data && {
      customer: data.recipient,
      messages: data.conversation,
      waitsUntil: (isWaiting && data.waits_until) || undefined,
    }
  );
};

/** Parses the stored part of a wait; anything else counts as empty. */
export const readSaid = (kept: JsonValue | undefined): SaidMessage[] =>
  z.array(SAID_MESSAGE).safeParse(kept ?? []).data ?? [];

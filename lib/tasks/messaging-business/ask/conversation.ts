// What was asked and answered, kept with the wait and given as output.
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

/** What a wait has kept; anything else counts as nothing. */
export const readSaid = (kept: JsonValue | undefined): SaidMessage[] =>
  z.array(SAID_MESSAGE).safeParse(kept ?? []).data ?? [];

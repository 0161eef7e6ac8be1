// How the platform accepted a message (`message_status`), in the output and the run text of whatever sends.
import * as z from 'zod';
import { readWithheld } from '#lib/messaging/schema/message-status-types.ts';
import { WITHHELD_WORDS } from '#lib/messaging/schema/status-words.ts';

export const acceptanceOutputs = {
  message_status: z.string().optional().meta({
    title: 'Message status',
    description:
      'As what the platform accepted the message: accepted, held_for_quality_assessment (it is sent, or fails, after a quality check of the template) or paused (the template is paused: it is not sent). Left out where the platform does not say.',
  }),
};

/** A run text, with why the message does not go out where the platform said so. @param messageStatus empty: it did not say */
export function withAcceptance(runText: string, messageStatus: string): string {
  const withheld = readWithheld(messageStatus);
  return withheld === undefined ? runText : `${runText} ${WITHHELD_WORDS[withheld]}`;
}

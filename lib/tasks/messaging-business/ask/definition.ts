import * as z from 'zod';
import { SAID_MESSAGE } from '#lib/tasks/conversation.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { acceptanceOutputs } from '../delivery/acceptance.ts';
import { readAskConversation } from './conversation.ts';
import { findAskProblems, findAskTemplateProblems } from './find-problems.ts';
import { findLateReminders } from './find-late-reminders.ts';
import { askKind } from './kind.ts';
import { askFields } from './settings.ts';

const settings = askFields.check(({ value, issues }) => {
  for (const { path, message } of findAskProblems(value)) {
    const input = path.reduce<unknown>(
      (found, key) => (found as Record<PropertyKey, unknown> | undefined)?.[key],
      value,
    );
    issues.push({ code: 'custom', path: [...path], message, input });
  }
});

const field = (title: string, description: string) => z.string().meta({ title, description });

/** Asks a customer something and takes the exit of the answer (docs/engine.md, "Signals"). */
export const askAndWait = {
  ...askKind,
  settings,
  publishCheck: findLateReminders,
  templateProblems: findAskTemplateProblems,
  conversation: readAskConversation,
  outputs: z.object({
    message_id: field('Message ID', 'Of the question.'),
    ...acceptanceOutputs,
    recipient: field('Recipient', 'Whom it was sent to.'),
    answer: field(
      'Answer',
      'What the customer wrote or tapped, as text; numbers and dates in a standard format, such as 1250.5 or 2030-05-12. Empty without an answer.',
    ),
    choice: field('Choice', 'The label of the button or row; empty for another answer.'),
    answer_type: field('Answer type', 'The platform’s word, such as text, interactive, image or location.'),
    message: z.unknown().meta({
      title: 'Message',
      description: 'The last message of the answer with all its fields, such as media_id or location.',
    }),
    reminders_sent: z
      .number()
      .meta({ title: 'Reminders sent', description: 'How many reminders there were.' }),
    conversation: z.array(SAID_MESSAGE).meta({
      title: 'Conversation',
      description: 'Question, reminders and answers in their order.',
    }),
    waits_until: field('Waits until', 'When the wait is over, ISO 8601.'),
  }),
} satisfies TaskDefinition;

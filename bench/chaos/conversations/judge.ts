// Whether a conversation followed the customer's answers.
import type { Answers, JournalMessage } from './customers.ts';
import { ASKING_TASKS, closingText, readSaid, type Said } from './workflow.ts';

interface AskOutput {
  answer?: string;
  choice?: string;
  reminders_sent?: number;
  message?: { message_id?: string } | null;
}

/** One run. */
export interface Conversation {
  phone: string;
  status: string;
  tasks: { id: number; status: string; branch: string | null; output: AskOutput | null }[];
}

/** One of its sends has an unknown outcome: it stopped there. */
export const isFlagged = ({ tasks }: Conversation): boolean =>
  tasks.some(({ status }) => status === 'outcome_unknown');

/** The customer's messages that tasks used as answers. */
export const usedAnswers = ({ tasks }: Conversation): string[] =>
  tasks.flatMap(({ output }) => output?.message?.message_id ?? []);

/** A customer gets one message of each part of a conversation. Other messages are ignored. */
export function countCopies(messages: readonly JournalMessage[]): number {
  const parts = messages.flatMap(({ text }) => readSaid(text) ?? []);
  return parts.length - new Set(parts).size;
}

/** Problems of a finished conversation, besides duplicate messages. */
export function findProblems(
  conversation: Conversation,
  messages: readonly JournalMessage[],
  { choice, text }: Answers,
): string[] {
  const { status, tasks } = conversation;
  if (isFlagged(conversation)) return [];
  if (status !== 'succeeded') return [`It ended as ${status}.`];
  const [question, ...others] = tasks.filter(({ id }) => ASKING_TASKS.includes(id));
  const followUp = others.find((task) => task.status === 'succeeded');
  const got = (said: Said): JournalMessage[] => messages.filter((each) => readSaid(each.text) === said);
  const expected: [string, unknown, unknown][] = [
    ['questions', got('question').length, 1],
    ['reminders', got('reminder').length, question?.output?.reminders_sent],
    ['second questions', got('follow_up').length, 1],
    ['the choice', question?.output?.choice, choice],
    ['the answer', followUp?.output?.answer, text],
    ['the closing text', got('closing')[0]?.text, closingText(text ?? '')],
    ['the exit of the closing text', tasks.find(({ branch }) => branch === 'delivered') !== undefined, true],
  ];
  return expected.flatMap(([what, found, wanted]) =>
    found === wanted ? [] : [`${what}: ${JSON.stringify(found)} and not ${JSON.stringify(wanted)}.`],
  );
}

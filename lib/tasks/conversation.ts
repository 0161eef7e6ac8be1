// Conversations between business and customer, derived from task runs for the page of a run.
import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';

const words = (title: string, description: string) => z.string().default('').meta({ title, description });

/** One message; texts have their variables filled in. */
export const SAID_MESSAGE = z.object({
  by: z.enum(['business', 'customer']).meta({ title: 'By', description: 'Who said it.' }),
  at: z.string().meta({ title: 'At', description: 'When, ISO 8601.' }),
  text: z.string().meta({ title: 'Text', description: 'Of a message template its parameters.' }),
  kind: words('Kind', 'Of a message without text the platform’s word, such as `image`.'),
  choices: z
    .array(z.string())
    .default([])
    .meta({ title: 'Choices', description: 'Labels of the buttons or rows below it.' }),
  template: words('Template', 'The name of the message template that it is.'),
  id: words('ID', 'The platform’s id of the message; empty: not known.'),
});
export type SaidMessage = z.output<typeof SAID_MESSAGE>;

/** Part of a conversation with one customer. */
export interface ConversationPart {
  /** Number or user id. */
  customer: string;
  messages: SaidMessage[];
  /** ISO 8601: the deadline for an answer, while the task waits for one. */
  waitsUntil?: string | undefined;
}

/** A task run, for its type. */
export interface SpokenTaskRun {
  /** With their variables filled in, as far as possible. */
  settings: Readonly<Record<string, JsonValue | undefined>>;
  output: JsonValue;
  /** ISO 8601: when it ended, or began. */
  at: string;
  isWaiting: boolean;
}

/** Reads the messages of a task run, in both directions; undefined: none. */
export type ReadConversation = (taskRun: SpokenTaskRun) => ConversationPart | undefined;

/** A customer's message, from the fields for workflows, and its id; undefined: it has no time. */
export function toSaidByCustomer(message: JsonObject, id: string): SaidMessage | undefined {
  const seconds = Number(toText(message['timestamp']));
  if (!(seconds > 0)) return undefined;
  const text = toText(message['text']);
  return {
    by: 'customer',
    at: new Date(seconds * 1000).toISOString(),
    text,
    kind: text === '' ? toText(message['type']) : '',
    choices: [],
    template: '',
    id,
  };
}

/** The customer's message that started the run, if any (docs/messaging.md, Notifications). */
export const readTriggerConversation: ReadConversation = ({ output }) => {
  if (!isJsonObject(output) || output['kind'] !== 'message') return undefined;
  const said = toSaidByCustomer(output, toText(output['message_id']));
  return said && { customer: toText(output['from']), messages: [said] };
};

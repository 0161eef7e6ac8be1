// A customer's answer, from the signals of a wait.
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { readQuestionId } from '#lib/messaging/sending/signal-keys.ts';
import { type SaidMessage, toSaidByCustomer } from '#lib/tasks/conversation.ts';
import { numberSource, toText } from '#lib/variables/to-text.ts';

export interface Answer {
  /** The text of all its messages, one per line. */
  text: string;
  /** The text of each message that has one. */
  texts: string[];
  /** The platform's type of the last message. */
  type: string;
  /** The button or row that was tapped last, from 0. */
  place: number | undefined;
  /** The last message with all its fields. */
  message: JsonObject;
  /** All of them. */
  messages: JsonObject[];
}

/** Maximum clock difference to the platform, whose messages have whole seconds. */
const CLOCKS_DIFFER_MS = 10_000;

/** The properties of a question that decide which messages answer it. */
interface Asked {
  /** Milliseconds since 1970. */
  askedAt: number;
  /** The conversation so far. */
  said: readonly SaidMessage[];
}

/**
 * The answers, in the order in which they were written; none when only other signals arrived: a failed delivery of the
 * question, earlier messages that the platform reported late, or messages about another question.
 * @param areOne all messages are one answer; otherwise each is one
 */
export function readAnswers(signals: readonly JsonValue[], asked: Asked, areOne: boolean): Answer[] {
  const heard = signals.filter(isJsonObject).filter(({ kind }) => kind === 'message');
  const ids = heard.map((signal) => toText(messageOf(signal)['message_id']));
  const told = heard
    .filter((signal) => !isEarlier(signal, asked.askedAt) && isPartOf(messageOf(signal), asked.said, ids))
    .toSorted((a, b) => secondsOf(a) - secondsOf(b));
  return (areOne ? [told] : told.map((signal) => [signal])).flatMap(toAnswer);
}

function toAnswer(told: readonly JsonObject[]): Answer[] {
  const messages = told.map(messageOf);
  const last = messages.at(-1);
  if (!last) return [];
  const texts = withEdits(messages)
    .map(({ text }) => toText(text).trim())
    .filter(Boolean);
  const places = told.flatMap(({ choice }) => {
    const place = isJsonObject(choice) ? readQuestionId(toText(choice['id']))?.place : undefined;
    return place === undefined ? [] : [place];
  });
  return [
    {
      text: texts.join('\n'),
      texts,
      type: toText(last['type']),
      place: places.at(-1),
      message: last,
      messages,
    },
  ];
}

/** The id of the message that an edit replaces; empty: not an edit. */
const editedId = ({ type, edit }: JsonObject): string =>
  type === 'edit' && isJsonObject(edit) ? toText(edit['original_message_id']) : '';

/** Replaces edited messages by their last edit. */
function withEdits(messages: readonly JsonObject[]): JsonObject[] {
  const ids = new Set(messages.map(({ message_id: id }) => toText(id)));
  const isEdit = (message: JsonObject): boolean => editedId(message) !== '';
  const edits = new Map(messages.filter(isEdit).map((message) => [editedId(message), message]));
  return messages.flatMap<JsonObject>((message) => {
    if (!isEdit(message)) return edits.get(toText(message['message_id'])) ?? message;
    const original = editedId(message);
    return edits.get(original) === message && !ids.has(original) ? message : [];
  });
}

/** For several messages that are one answer, their combined text is parsed, else the last message that can be parsed counts. */
export function findInAnswer<Value>(
  { text, texts }: Answer,
  find: (text: string) => Value | undefined,
): Value | undefined {
  const found = find(text);
  if (found !== undefined) return found;
  return texts.map(find).findLast((each) => each !== undefined);
}

/** Fields of a task's output about the answer; none without an answer. */
export const toGiven = (answer: Answer | undefined): JsonObject =>
  answer ? { answer: answer.text, answer_type: answer.type, message: answer.message } : {};

/** Its messages for the conversation. */
export const toSaidOf = ({ messages }: Answer): SaidMessage[] =>
  messages.flatMap((each) => toSaidByCustomer(each, toText(each['message_id'])) ?? []);

const messageOf = ({ message }: JsonObject): JsonObject => (isJsonObject(message) ? message : {});

/** A tap contains its question's id, however late it is reported. */
function isEarlier(signal: JsonObject, askedAt: number): boolean {
  const { choice } = signal;
  if (isJsonObject(choice) && readQuestionId(toText(choice['id']))) return false;
  return secondsOf(signal) * 1000 + CLOCKS_DIFFER_MS < askedAt;
}

/** When it was written. */
const secondsOf = (signal: JsonObject): number => writtenAt(messageOf(signal));

const writtenAt = (message: JsonObject): number => Number(numberSource(message['timestamp']));

/** Whether an answer may have been written after a question, by clocks that differ. @param askedAt milliseconds since 1970 */
export const isSince = ({ message }: Pick<Answer, 'message'>, askedAt: number): boolean =>
  !(writtenAt(message) * 1000 + CLOCKS_DIFFER_MS < askedAt);

/**
 * Reactions and edits are answers if their message belongs to the conversation; removals are not.
 * @param ids of the messages that just arrived
 */
function isPartOf(message: JsonObject, said: readonly SaidMessage[], ids: readonly string[]): boolean {
  const idsOf = (by: SaidMessage['by']): string[] =>
    said.filter((each) => each.by === by).map(({ id }) => id);
  const changed = (content: string, id: string): string => {
    const fields = message[content];
    return isJsonObject(fields) ? toText(fields[id]) : '';
  };
  switch (message['type']) {
    case 'reaction':
      return toText(message['text']) !== '' && idsOf('business').includes(changed('reaction', 'message_id'));
    case 'edit':
      return [...idsOf('customer'), ...ids].includes(changed('edit', 'original_message_id'));
    case 'revoke':
    case 'system':
      return false;
    default:
      return true;
  }
}

/**
 * The errors of a question that could not be delivered; undefined: no failure was reported of it.
 * @param messageId of the current question: that an earlier one failed does not matter any more
 */
export function readFailure(signals: readonly JsonValue[], messageId: string): JsonValue | undefined {
  const failed = signals
    .filter(isJsonObject)
    .find(({ kind, message_id: id }) => kind === 'failed' && (id === undefined || id === messageId));
  return failed && (failed['errors'] ?? []);
}

/**
 * The recipient of further messages, after changes of the customer's number and user id that the wait recorded
 * (`customer-names.ts`); older waits got the platform's `system` message itself.
 */
export function readRecipientNow(signals: readonly JsonValue[], recipient: string): string {
  return signals.filter(isJsonObject).reduce((current, signal) => {
    const { kind, names } = signal;
    if (kind === 'renamed' && Array.isArray(names)) {
      const change = names.filter(isJsonObject).find(({ from }) => from === current);
      return change ? toText(change['to']) : current;
    }
    const { type, system } = messageOf(signal);
    if (type !== 'system' || !isJsonObject(system)) return current;
    const { value } = readRecipient(toText(isUserId(current) ? system['user_id'] : system['wa_id']));
    return value?.id ?? current;
  }, recipient);
}

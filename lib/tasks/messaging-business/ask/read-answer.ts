// What a customer answered, from the signals of a wait.
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { readQuestionId } from '#lib/messaging/sending/signal-keys.ts';
import { readInstant } from '#lib/variables/format-date.ts';
import { numberSource, toText } from '#lib/variables/to-text.ts';
import type { AnswerKind } from './rules.ts';

export interface Answer {
  /** All messages of it as words, one a line. */
  text: string;
  /** The platform's word for the last message. */
  type: string;
  /** The button or row that was tapped last, from 0. */
  place: number | undefined;
  /** The last message with all its fields. */
  message: JsonObject;
}

/** Undefined: nothing came, or only that the question could not be delivered. */
export function readAnswer(signals: readonly JsonValue[]): Answer | undefined {
  const told = signals.filter(isJsonObject).filter(({ kind }) => kind === 'message');
  const messages = told.map(({ message }) => (isJsonObject(message) ? message : {}));
  const last = messages.at(-1);
  if (!last) return undefined;
  const texts = messages.map((message) => toText(message['text']).trim()).filter(Boolean);
  const places = told.flatMap(({ choice }) => {
    const place = isJsonObject(choice) ? readQuestionId(toText(choice['id']))?.place : undefined;
    return place === undefined ? [] : [place];
  });
  return { text: texts.join('\n'), type: toText(last['type']), place: places.at(-1), message: last };
}

/** The errors of a question that could not be delivered; undefined: nothing says so. */
export function readFailure(signals: readonly JsonValue[]): JsonValue | undefined {
  const failed = signals.filter(isJsonObject).find(({ kind }) => kind === 'failed');
  return failed && (failed['errors'] ?? []);
}

/** The button or row that a text names. */
export function placeOfTitle(text: string, titles: readonly string[]): number | undefined {
  const place = titles.findIndex((title) => isSame(title, text));
  return place < 0 ? undefined : place;
}

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Whether an answer is of the kind that is expected. @param accepted separated by commas */
export function isExpected(text: string, kind: AnswerKind, accepted: string): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'number':
      return numberSource(text.trim()) !== undefined;
    case 'date':
      return readInstant(text.trim()) !== undefined && !/^\d+$/.test(text.trim());
    case 'email':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
    case 'one_of':
      return accepted.split(',').some((each) => each.trim() !== '' && isSame(each, text));
  }
}

import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from './to-text.ts';

/** Why a variable text cannot be filled in; the message says how to fix it. */
export class VariableError extends Error {
  override readonly name: string = 'VariableError';
}

/** A variable text that cannot be used. `line` and `column` count from 1; the message says how to fix it. */
export class VariableSyntaxError extends VariableError {
  override readonly name = 'VariableSyntaxError';
  readonly line: number;
  readonly column: number;

  constructor(message: string, place: { line: number; column: number }) {
    super(`Line ${place.line}, column ${place.column}: ${message}`);
    this.line = place.line;
    this.column = place.column;
  }
}

/** A variable text that would take too long or grow too large when it is filled in. */
export class VariableBudgetError extends VariableError {
  override readonly name = 'VariableBudgetError';
}

/** A text that names a secret of the workspace where none may be used. */
export class VariableSecretError extends VariableError {
  override readonly name = 'VariableSecretError';
}

/** Line and column (from 1) of a character offset in a text. */
export function placeAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n?|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

const MAX_SHOWN_CHARACTERS = 60;

/** A value as error messages name it: `the text "abc"`, `the number 5`, `nothing`, `an object with 3 fields`. */
export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : `the text ${shorten(stringifyJson(value))}`;
  if (typeof value === 'boolean') return `the value ${value}`;
  if (Array.isArray(value)) return `a list of ${count(value.length, 'element')}`;
  if (isJsonObject(value)) return `an object with ${count(Object.keys(value).length, 'field')}`;
  return `the number ${toText(value)}`;
}

/**
 * Why a value cannot be used: `"09:00" isn’t a full date and time.`
 * @param field what is empty if nothing is there, such as `duration`
 * @param wanted with its article, such as `a phone number`
 */
export function explainMismatch(field: string, value: JsonValue | undefined, wanted: string): string {
  if (value === undefined || value === null || value === '') return `The ${field} is empty.`;
  const shown = describeValue(value).replace(/^the (text|number|value) /, '');
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)} isn’t ${wanted}.`;
}

/** `1 item`, `3 items`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const shorten = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…"` : text;

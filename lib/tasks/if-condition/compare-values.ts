import type { JsonValue } from '#lib/core/json/value.ts';
import { readInstant } from '#lib/variables/format-date.ts';
import { numberSource, toText } from '#lib/variables/to-text.ts';
import { compareDecimals } from './compare-decimals.ts';

type Value = JsonValue | undefined;

/** A number as people write one: `007`, `+49` and `1e3` are codes rather than numbers when two texts are equated. */
const PLAIN_NUMBER = /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?\s*$/;
const ISO_DATE = /^\s*\d{4}-\d{2}-\d{2}(?:$|[T\s])/;

/**
 * Whether two values are equal: numbers by their value, ISO dates as instants, else by their text (docs/engine.md).
 * Nothing, null and an empty text are equal.
 */
export function areEqual(left: Value, right: Value): boolean {
  const numbers = numbersOf(left, right);
  const areTexts = typeof left === 'string' && typeof right === 'string';
  const mayBeNumbers = !areTexts || (PLAIN_NUMBER.test(left) && PLAIN_NUMBER.test(right));
  if (numbers && mayBeNumbers) return compareDecimals(...numbers) === 0;
  const instants = instantsOf(left, right);
  if (instants) return instants[0] === instants[1];
  return toText(left) === toText(right);
}

/**
 * How two values are ordered: negative, zero or positive as for sorting; numbers by their value, ISO dates as
 * instants, else by their text. Undefined when one of them is nothing: then none is greater or less.
 */
export function compareValues(left: Value, right: Value): number | undefined {
  if (isBlank(left) || isBlank(right)) return undefined;
  const numbers = numbersOf(left, right);
  if (numbers) return compareDecimals(...numbers);
  const instants = instantsOf(left, right);
  if (instants) return instants[0] - instants[1];
  const [a, b] = [toText(left), toText(right)];
  if (a === b) return 0;
  return a > b ? 1 : -1;
}

/** Nothing, null or a blank text. */
export const isBlank = (value: Value): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function numbersOf(left: Value, right: Value): [string, string] | undefined {
  const a = numberSource(left);
  const b = a === undefined ? undefined : numberSource(right);
  return a === undefined || b === undefined ? undefined : [a, b];
}

function instantsOf(left: Value, right: Value): [number, number] | undefined {
  const a = readIsoDate(left);
  const b = a === undefined ? undefined : readIsoDate(right);
  return a === undefined || b === undefined ? undefined : [a, b];
}

function readIsoDate(value: Value): number | undefined {
  if (typeof value !== 'string' || !ISO_DATE.test(value)) return undefined;
  return readInstant(value)?.getTime();
}

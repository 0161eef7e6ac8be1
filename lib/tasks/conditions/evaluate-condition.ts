import { parseJson } from '#lib/core/json/parse-json.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import { evaluateSetting, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { explainMismatch } from '#lib/variables/errors.ts';
import { readInstant } from '#lib/variables/formats.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { numberSource, toText } from '#lib/variables/to-text.ts';
import { isMissing } from '#lib/tasks/setting-values.ts';
import { isOpen } from '#lib/core/time/hours.ts';
import type { OF_HOURS, Operator } from './operators.ts';
import { compilePattern, PatternError } from './patterns.ts';
import type { Condition } from './settings.ts';
import { chooseCalendar, type Hours } from './with-hours.ts';

type Value = JsonValue | undefined;

/** A number in plain notation: `007`, `+49` and `1e3` count as codes, not numbers, when comparing two texts for equality. */
const PLAIN_NUMBER = /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?\s*$/;
const ISO_DATE = /^\s*\d{4}-\d{2}-\d{2}(?:$|[T\s])/;

/**
 * Whether two values are equal: numbers by their value, ISO dates as instants, else by their text (docs/engine.md).
 * Nothing, null and an empty text are equal.
 */
function areEqual(left: Value, right: Value): boolean {
  const numbers = numbersOf(left, right);
  const areTexts = typeof left === 'string' && typeof right === 'string';
  const mayBeNumbers = !areTexts || (PLAIN_NUMBER.test(left) && PLAIN_NUMBER.test(right));
  if (numbers && mayBeNumbers) return compareDecimals(...numbers) === 0;
  const instants = instantsOf(left, right);
  if (instants) return instants[0] === instants[1];
  return toText(left) === toText(right);
}

/**
 * Compares two values for ordering: negative, zero or positive; numbers by their value, ISO dates as instants, else by their
 * text. Undefined when one of them is missing: then neither is greater or less.
 */
function compareValues(left: Value, right: Value): number | undefined {
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
const isBlank = (value: Value): boolean =>
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

interface Decimal {
  sign: -1 | 0 | 1;
  /** Without leading or trailing zeros. */
  digits: string;
  /** Power of ten of the first digit. */
  magnitude: number;
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Compares two decimal numbers digit by digit, so that no digit is lost: negative, zero or positive as for sorting.
 * @param left, right decimal texts as in JSON, such as `12345678901234567890.1` or `-1.5e10`.
 */
export function compareDecimals(left: string, right: string): number {
  const a = readDecimal(left);
  const b = readDecimal(right);
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.magnitude !== b.magnitude) return a.magnitude > b.magnitude ? a.sign : -a.sign;
  const length = Math.max(a.digits.length, b.digits.length);
  const padded = [a.digits.padEnd(length, '0'), b.digits.padEnd(length, '0')] as const;
  if (padded[0] === padded[1]) return 0;
  return padded[0] > padded[1] ? a.sign : -a.sign;
}

function readDecimal(text: string): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const all = whole + fraction;
  const digits = stripZeros(all);
  if (digits === '') return { sign: 0, digits, magnitude: 0 };
  const leadingZeros = all.length - all.replace(/^0+/, '').length;
  return {
    sign: sign === '-' ? -1 : 1,
    digits,
    magnitude: whole.length - 1 - leadingZeros + Number(exponent),
  };
}

function stripZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end).replace(/^0+/, '');
}

const TRUE_WORDS = ['true', 'yes', 'on', '1'];
const FALSE_WORDS = ['false', 'no', 'off', '0'];

const TESTS: Readonly<
  Record<Exclude<Operator, 'in_list' | (typeof OF_HOURS)[number]>, (left: Value, right: Value) => boolean>
> = {
  equals: areEqual,
  not_equals: (left, right) => !areEqual(left, right),
  contains,
  not_contains: (left, right) => !contains(left, right),
  starts_with: (left, right) => toText(left).startsWith(toText(right)),
  ends_with: (left, right) => toText(left).endsWith(toText(right)),
  greater_than: (left, right) => (compareValues(left, right) ?? 0) > 0,
  less_than: (left, right) => (compareValues(left, right) ?? 0) < 0,
  at_least: (left, right) => (compareValues(left, right) ?? -1) >= 0,
  at_most: (left, right) => (compareValues(left, right) ?? 1) <= 0,
  is_empty: isEmpty,
  is_not_empty: (left) => !isEmpty(left),
  is_true: (left) => isWord(left, TRUE_WORDS),
  is_false: (left) => isWord(left, FALSE_WORDS),
  matches: (left, right) => matchesPattern(toText(left), toText(right)),
};

/**
 * Whether a condition holds.
 * @param hours only left out where no condition asks for opening hours
 * @throws TaskError `invalid_pattern`, `invalid_list`, `invalid_text`; `invalid_calendar`
 */
export function testCondition(condition: Condition, scope: VariableScope, hours?: Hours): boolean {
  const { left, operator, right } = condition;
  if (operator === 'is_open' || operator === 'is_closed')
    return testHours({ ...condition, operator }, scope, hours);
  const value = evaluateSetting(left, scope);
  if (operator === 'in_list') return readList(right, scope).some((element) => areEqual(value, element));
  return TESTS[operator](value, evaluateSetting(right, scope));
}

/** Whether all of several conditions hold, or one of them. @throws TaskError as `testCondition` */
export function testConditions(
  conditions: readonly Condition[],
  match: 'all' | 'any',
  scope: VariableScope,
  hours?: Hours,
): boolean {
  return match === 'all'
    ? conditions.every((condition) => testCondition(condition, scope, hours))
    : conditions.some((condition) => testCondition(condition, scope, hours));
}

/** A value that a variable does not have is neither within opening hours nor outside of them. */
function testHours(
  { left, operator, calendar = '' }: Condition & { operator: (typeof OF_HOURS)[number] },
  scope: VariableScope,
  hours: Hours | undefined,
): boolean {
  if (!hours) throw new Error('Opening hours were not loaded.');
  const found = chooseCalendar(renderSetting(calendar, scope, 'none').trim(), hours.time);
  const value = evaluateSetting(left, scope);
  if (isBlank(value) && !isMissing(left)) return false;
  const at = isBlank(value) ? hours.now : readInstant(value);
  if (!at)
    throw new TaskError(
      'invalid_text',
      explainMismatch('value', value, 'a date and time, which opening hours are compared with'),
    );
  return isOpen(found.calendar, hours.time.zone, at) === (operator === 'is_open');
}

/** A list contains an equal element; any other value is searched as text. */
function contains(left: Value, right: Value): boolean {
  if (Array.isArray(left)) return left.some((element) => areEqual(element, right));
  return toText(left).includes(toText(right));
}

function isEmpty(value: Value): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) ? Object.keys(value).length === 0 : isBlank(value);
}

function isWord(value: Value, words: readonly string[]): boolean {
  const text = numberSource(value) ?? toText(value);
  return words.includes(text.trim().toLowerCase());
}

function matchesPattern(text: string, pattern: string): boolean {
  try {
    return compilePattern(pattern).test(text);
  } catch (error) {
    if (error instanceof PatternError)
      throw new TaskError('invalid_pattern', error.message, { cause: error });
    throw error;
  }
}

/** A list: JSON, a variable with one, or a text separated by commas. */
function readList(setting: unknown, scope: VariableScope): JsonValue[] {
  const isJson = typeof setting === 'string' && setting.trimStart().startsWith('[');
  const value = isJson ? renderSetting(setting, scope, 'json') : evaluateSetting(setting, scope);
  if (Array.isArray(value)) return value;
  const text = toText(value).trim();
  if (!text.startsWith('[')) return text === '' ? [] : text.split(',').map((element) => element.trim());
  try {
    return parseJson(text) as JsonValue[];
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const message = `The list ${text.slice(0, 60)} is not JSON (${error.message}): write ["a", "b"], or a, b without brackets.`;
    throw new TaskError('invalid_list', message, { cause: error });
  }
}

import { TaskError } from '#lib/engine/task-executor.ts';
import { JsonSyntaxError } from '#lib/core/json/json-syntax-error.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { evaluateSetting, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { numberSource, toText } from '#lib/variables/to-text.ts';
import { areEqual, compareValues, isBlank } from './compare-values.ts';
import type { Condition } from './definition.ts';
import type { Operator } from './operators.ts';
import { compilePattern, PatternError } from './patterns.ts';

type Value = JsonValue | undefined;

const TRUE_WORDS = ['true', 'yes', 'on', '1'];
const FALSE_WORDS = ['false', 'no', 'off', '0'];

const TESTS: Readonly<Record<Exclude<Operator, 'in_list'>, (left: Value, right: Value) => boolean>> = {
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
 * @throws TaskError `invalid_pattern`, `invalid_list`, `invalid_text`
 */
export function testCondition({ left, operator, right }: Condition, scope: VariableScope): boolean {
  const value = evaluateSetting(left, scope);
  if (operator === 'in_list') return readList(right, scope).some((element) => areEqual(value, element));
  return TESTS[operator](value, evaluateSetting(right, scope));
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

/** A list: JSON, a variable that gives one, or a text separated by commas. */
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

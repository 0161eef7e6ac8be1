// How executors evaluate their settings: variables are replaced by their values, and errors fail the task.
import type { JsonValue } from '#lib/core/json/value.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import { VariableError } from '#lib/variables/errors.ts';
import type { Escape } from '#lib/variables/escape.ts';
import { evaluateText, renderText } from '#lib/variables/interpret.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { type DurationUnit, readDuration } from './durations.ts';

/**
 * The value of a setting that may be any JSON. A string is a variable text: exactly one variable keeps the value's type
 * (undefined: nothing found), any other text gives a string. Strings inside arrays and objects likewise (there, nothing found
 * gives null).
 * @throws TaskError `invalid_text`
 */
export function evaluateSetting(setting: unknown, scope: VariableScope): JsonValue | undefined {
  if (typeof setting === 'string') {
    if (!setting.includes('{{')) return setting;
    return fillIn(
      () => excerptOf(setting),
      () => evaluateText(parseVariableText(setting), scope),
    );
  }
  if (Array.isArray(setting)) return setting.map((each) => evaluateSetting(each, scope) ?? null);
  if (typeof setting !== 'object' || setting === null) return setting as JsonValue | undefined;
  return Object.fromEntries(
    Object.entries(setting).map(([key, value]) => [key, evaluateSetting(value, scope) ?? null]),
  );
}

/**
 * A variable text, filled in and escaped for its destination.
 * @throws TaskError `invalid_text`
 */
export function renderSetting(text: string, scope: VariableScope, escape: Escape): string {
  if (!text.includes('{{')) return text;
  return fillIn(
    () => excerptOf(text),
    () => renderText(parseVariableText(text), scope, escape),
  );
}

const excerptOf = (text: string): string => `The text "${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;

/**
 * Fills in variables with `fill`.
 * @param nameText name of the text in errors. @throws TaskError `invalid_text`
 */
export function fillIn<Result>(nameText: () => string, fill: () => Result): Result {
  try {
    return fill();
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    const message = `${nameText()} cannot be filled in: ${error.message}`;
    throw new TaskError('invalid_text', message, { cause: error });
  }
}

/** A duration of the settings in milliseconds. @throws TaskError `invalid_duration`, `invalid_text` */
export function evaluateDuration(setting: JsonValue, unit: DurationUnit, scope: VariableScope): number {
  const { value, problem } = readDuration(evaluateSetting(setting, scope), unit);
  if (problem !== undefined) throw new TaskError('invalid_duration', problem);
  return value;
}

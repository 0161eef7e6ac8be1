import { AppError } from '#lib/core/errors.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';
import { TRIGGER_RUN_TEXT } from '#lib/engine/run-types.ts';
import { VariableBudgetError } from '#lib/variables/errors.ts';
import { flatten } from '#lib/variables/flatten.ts';
import { taskName } from '#lib/variables/task-names.ts';
import { lookUpPath } from '#lib/variables/values.ts';
import {
  type PreparedResponse,
  prepareResponse,
  type ReceivedData,
  renderValue,
  type ValueSetting,
} from './render-response.ts';
import type { Trigger } from './trigger-settings.ts';

/** Operations on a body that is a JSON object; a large one is in another thread, so that they are asynchronous. */
export interface ObjectBody {
  /** The object itself, unless it is in another thread. */
  value?: JsonObject;
  prepareResponse(
    trigger: Trigger,
    received: Omit<ReceivedData, 'body'>,
  ): PreparedResponse | Promise<PreparedResponse>;
  /** As the function of this name. */
  renderValue(
    trigger: Trigger,
    name: ValueSetting,
    received: Omit<ReceivedData, 'body'>,
  ): string | Promise<string>;
  /** The text or number of a field, as text; undefined for anything else. */
  readField(path: readonly string[]): string | undefined | Promise<string | undefined>;
  /** The JSON text of the response to the test URL. */
  describe(eventId: string, triggerTaskId: number): string | Promise<string>;
}

/** `json`: the JSON to store for a body in another format. */
export type ParsedBody = { object: ObjectBody; json?: Buffer } | { refusal: AppError };

/** Parses a body: a JSON object, or why it is refused (`invalid_json`, `body_not_object`). */
export function parseObjectBody(bytes: Uint8Array): ParsedBody {
  try {
    const body = parseJsonBytes(bytes);
    if (!isJsonObject(body)) return { refusal: notAnObject(body) };
    return { object: toObjectBody(body) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { refusal: new AppError('invalid_json', error.message) };
  }
}

/** Operations on an object in this thread. */
export const toObjectBody = (body: JsonObject): ObjectBody => ({
  value: body,
  prepareResponse: (trigger, received) => prepareResponse(trigger, { ...received, body }),
  renderValue: (trigger, name, received) => renderValue(trigger, name, { ...received, body }),
  readField: (path) => readField(body, path),
  describe: (eventId, triggerTaskId) =>
    stringifyJson({ event_id: eventId, task_id: triggerTaskId, ...describeOutput(triggerTaskId, body) }),
});

/** A field's text or number, with its digits; undefined for anything else and for an empty text. */
function readField(body: JsonObject, path: readonly string[]): string | undefined {
  const value = lookUpPath(body, path, 0);
  if (typeof value === 'number' || value instanceof NumberLiteral) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function notAnObject(body: JsonValue): AppError {
  const type = typeof body === 'object' ? 'number' : typeof body;
  const what = body === null ? 'null' : Array.isArray(body) ? 'an array' : `a ${type}`;
  return new AppError('body_not_object', `The body is ${what}: send a JSON object, such as {"items": […]}.`);
}

/**
 * Nested objects and arrays are repeated under their own names: for a megabyte nested 200 deep the response would have 200
 * MB. Beyond this many characters they are left out; their fields are still listed.
 */
const MAX_REPEATED_CHARACTERS = 1024 * 1024;

/** The trigger's output as child tasks see it, for the response of the test URL (docs/webhooks.md). */
export function describeOutput(taskId: number, body: JsonObject): { variables: JsonObject; note?: string } {
  const variables: JsonObject = {};
  const add = (name: string, value: JsonValue): void => {
    Object.defineProperty(variables, name, { value, enumerable: true, configurable: true, writable: true });
  };
  let left = MAX_REPEATED_CHARACTERS;
  const { fields, problem } = flattenOrTop(body);
  for (const [name, value] of fields) {
    const isRepeated = typeof value === 'object' && value !== null && !Object.hasOwn(body, name);
    if (isRepeated && left >= 0) left -= stringifyJson(value).length;
    if (!isRepeated || left >= 0) add(taskName(taskId, name), value);
  }
  add(taskName(taskId, 'run'), true);
  add(taskName(taskId, 'run_text'), TRIGGER_RUN_TEXT);
  if (problem !== undefined) return { variables, note: problem };
  if (left >= 0) return { variables };
  return {
    variables,
    note: 'Nested objects and arrays were left out of this answer because the body is large.',
  };
}

/** All fields by name; of a body whose names are too long to list, the top-level ones only. */
function flattenOrTop(body: JsonObject): { fields: Iterable<[string, JsonValue]>; problem?: string } {
  try {
    return { fields: flatten(body) };
  } catch (error) {
    if (!(error instanceof VariableBudgetError)) throw error;
    return { fields: Object.entries(body), problem: `Only top-level fields are listed. ${error.message}.` };
  }
}

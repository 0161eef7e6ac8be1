import { TRIGGER_RUN_TEXT } from '../engine/run-types.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { VariableBudgetError } from '../variables/errors.ts';
import { flatten } from '../variables/flatten.ts';
import { taskName } from '../variables/task-names.ts';

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

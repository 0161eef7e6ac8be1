import { AppError } from '#lib/core/errors.ts';
import { JsonSyntaxError } from '#lib/core/json/json-syntax-error.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { describeOutput } from './describe-output.ts';
import type { Trigger } from './trigger.ts';
import { type PreparedResponse, prepareResponse, type ReceivedData } from './prepare-response.ts';

/** Operations on a body that is a JSON object; a large one is in another thread, so that they are asynchronous. */
export interface ObjectBody {
  /** The object itself, unless it is in another thread. */
  value?: JsonObject;
  prepareResponse(
    trigger: Trigger,
    received: Omit<ReceivedData, 'body'>,
  ): PreparedResponse | Promise<PreparedResponse>;
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
  describe: (eventId, triggerTaskId) =>
    stringifyJson({ event_id: eventId, task_id: triggerTaskId, ...describeOutput(triggerTaskId, body) }),
});

function notAnObject(body: JsonValue): AppError {
  const type = typeof body === 'object' ? 'number' : typeof body;
  const what = body === null ? 'null' : Array.isArray(body) ? 'an array' : `a ${type}`;
  return new AppError('body_not_object', `The body is ${what}: send a JSON object, such as {"items": […]}.`);
}

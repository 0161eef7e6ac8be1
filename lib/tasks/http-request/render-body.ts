import { TaskError } from '#lib/engine/task-executor.ts';
import { JsonSyntaxError } from '#lib/core/json/json-syntax-error.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { evaluateSetting, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { HttpRequestSettings } from './definition.ts';

export interface RequestBody {
  text: string;
  contentType: string;
}

/**
 * The body as it is sent; undefined for none.
 * @throws TaskError `invalid_json_body` with line and column, `invalid_form_body`, `invalid_text`
 */
export function renderBody(settings: HttpRequestSettings, scope: VariableScope): RequestBody | undefined {
  const { body, body_type } = settings;
  switch (body_type) {
    case 'none':
      return undefined;
    case 'json':
      return { text: renderJson(body, scope), contentType: 'application/json' };
    case 'form':
      return { text: renderForm(body, scope), contentType: 'application/x-www-form-urlencoded' };
    case 'text':
      return {
        text: renderSetting(typeof body === 'string' ? body : '', scope, 'none'),
        contentType: 'text/plain; charset=utf-8',
      };
  }
}

function renderJson(body: HttpRequestSettings['body'], scope: VariableScope): string {
  if (typeof body !== 'string') return stringifyJson(evaluateSetting(body, scope) ?? null);
  const text = renderSetting(body, scope, 'json');
  try {
    parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const message = `The body is not JSON once its variables are filled in: ${error.message}.`;
    throw new TaskError('invalid_json_body', message, {
      cause: error,
      details: { body: text.slice(0, 2000) },
    });
  }
  return text;
}

/**
 * `name=value` pairs, joined by `&` or one a line; an object; or a list of `{name, value}`. In a text, variables are
 * percent-encoded, so that no value can add a pair; what else stands there is taken as encoded, but for spaces and
 * characters beyond ASCII.
 */
function renderForm(body: HttpRequestSettings['body'], scope: VariableScope): string {
  if (typeof body === 'string') {
    const lines = renderSetting(body.trim(), scope, 'url').split(/[\r\n]+/);
    const text = lines.map((line) => line.trim()).join('&');
    return text
      .replace(/ /g, '+')
      .replace(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters.toWellFormed()));
  }
  const value = evaluateSetting(body, scope) ?? null;
  const pairs = Array.isArray(value) ? value.map(readPair) : isJsonObject(value) ? Object.entries(value) : [];
  return new URLSearchParams(pairs.map(([name, each]) => [name, toText(each)])).toString();
}

function readPair(pair: JsonValue): [string, JsonValue] {
  if (isJsonObject(pair) && typeof pair.name === 'string') return [pair.name, pair.value ?? null];
  const message = `The form field ${stringifyJson(pair).slice(0, 100)} cannot be sent: write {"name": "…", "value": "…"}.`;
  throw new TaskError('invalid_form_body', message);
}

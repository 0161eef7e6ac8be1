import { parseJson } from '#lib/core/json/parse-json.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { type TaskContext, TaskError } from '#lib/engine/task-executor.ts';
import { evaluateSetting, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { toText } from '#lib/variables/to-text.ts';
import { encodeBasic } from './authentication.ts';
import type { HttpRequestSettings, Method } from './definition.ts';

export interface BuiltRequest {
  method: Method;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** It may be sent again where its outcome is unknown. */
  isRepeatable: boolean;
}

/** Whether it may be sent again where its outcome is unknown. */
export const isRepeatable = ({
  method,
  if_unknown: ifUnknown,
}: Pick<HttpRequestSettings, 'method' | 'if_unknown'>): boolean =>
  isIdempotent(method) || ifUnknown === 'repeat';

/** Whether sending it twice has the effect of sending it once (RFC 9110, 9.2.2). */
const isIdempotent = (method: Method): boolean => method !== 'POST' && method !== 'PATCH';

/**
 * The request as it is sent, with its variables filled in.
 * @throws TaskError
 */
export function buildRequest(context: TaskContext<HttpRequestSettings>): BuiltRequest {
  const { settings, scope } = context;
  const body = renderBody(settings, scope);
  const headers: Record<string, string> = { 'user-agent': 'Patchbay', accept: 'application/json, */*;q=0.5' };
  if (body) headers['content-type'] = body.contentType;
  if (!isIdempotent(settings.method)) headers['idempotency-key'] = idempotencyKey(context);
  for (const { name, value } of settings.headers)
    headers[name.toLowerCase()] = renderSetting(value, scope, 'none').trim();
  if (headers['authorization'] !== undefined)
    headers['authorization'] = encodeBasic(headers['authorization']);
  return {
    method: settings.method,
    url: buildUrl(settings, scope),
    headers,
    body: body?.text,
    isRepeatable: isRepeatable(settings),
  };
}

/** The same for every attempt of one task run, so that a receiver that supports such keys processes it once. */
function idempotencyKey({ runId, taskId, iteration }: TaskContext<HttpRequestSettings>): string {
  return iteration === '' ? `patchbay-${runId}-${taskId}` : `patchbay-${runId}-${taskId}-${iteration}`;
}

function buildUrl({ url, query }: HttpRequestSettings, scope: VariableScope): string {
  const rendered = renderSetting(url.trim(), scope, 'url');
  if (query.length === 0) return rendered;
  const [address = '', fragment] = rendered.split('#', 2);
  const pairs = new URLSearchParams(
    query.map(({ name, value }) => [name, renderSetting(value, scope, 'none')]),
  );
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${pairs.toString()}${fragment === undefined ? '' : `#${fragment}`}`;
}

export interface RequestBody {
  text: string;
  contentType: string;
}

/**
 * The body as it is sent; undefined: none.
 * @throws TaskError `invalid_json_body` with line and column, `invalid_form_body`, `invalid_text`
 */
function renderBody(settings: HttpRequestSettings, scope: VariableScope): RequestBody | undefined {
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
 * percent-encoded, so that no value can add a pair; the rest is assumed to be encoded, except spaces and non-ASCII characters.
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

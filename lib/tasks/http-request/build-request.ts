import type { TaskContext } from '#lib/engine/task-executor.ts';
import { renderSetting } from '#lib/tasks/evaluate-setting.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { encodeBasic } from './authentication.ts';
import type { HttpRequestSettings, Method } from './definition.ts';
import { renderBody } from './render-body.ts';

export interface BuiltRequest {
  method: Method;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Whether sending it twice has the effect of sending it once (RFC 9110, 9.2.2). */
export const isIdempotent = (method: Method): boolean => method !== 'POST' && method !== 'PATCH';

/**
 * The request as it is sent, its variables filled in.
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
  return { method: settings.method, url: buildUrl(settings, scope), headers, body: body?.text };
}

/** The same for every attempt of one task run, so that a receiver that knows such keys does nothing twice. */
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

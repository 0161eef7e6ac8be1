// The responses of a trigger's settings (docs/webhooks.md, spec "Endpoints" rules 2 to 5).
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { RunAnswer } from '#lib/engine/engine-deps.ts';
import type { RunState } from '#lib/engine/run-state.ts';
import { TRIGGER_RUN_TEXT } from '#lib/engine/run-types.ts';
import { VariableError } from '#lib/variables/errors.ts';
import { renderText } from '#lib/variables/interpret.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { createScope, type VariableScope } from '#lib/variables/scope.ts';
import {
  escapeOfResponse,
  formatOf,
  type ResponseFormat,
  type Trigger,
  triggerOf,
  type TriggerSettings,
} from './trigger-settings.ts';

const CONTENT_TYPES: Record<ResponseFormat, string> = {
  json: 'application/json',
  xml: 'application/xml',
  text: 'text/plain; charset=utf-8',
};

/** Node's own client refuses responses with more than 16 KB of headers; others less. */
const MAX_REDIRECT_CHARACTERS = 8192;

/** The variables of the trigger's response: the body's own fields, the trigger's output, `$now` and `$date`. */
export function triggerScope(
  taskId: number,
  { body, headers, receivedAt, zone }: ReceivedData,
): VariableScope {
  const trigger = { output: body, headers, webhooks: [body], run: true, run_text: TRIGGER_RUN_TEXT };
  const tasks = (id: number) => (id === taskId ? trigger : undefined);
  return createScope({ body, now: () => receivedAt, zone, tasks });
}

/**
 * Renders the custom response body, escaped for its format.
 * @throws VariableError
 */
function renderResponseBody(settings: TriggerSettings, scope: VariableScope): RunAnswer {
  const text = parseVariableText(settings.response_body);
  const body = renderText(text, scope, escapeOfResponse(settings));
  const format = settings.response_format === 'auto' ? formatOf(body) : settings.response_format;
  return { status: 200, contentType: CONTENT_TYPES[format], body };
}

/**
 * Renders the target of a redirect: an absolute http or https URL without line breaks, short enough for every client.
 * @throws AppError `invalid_redirect`; VariableError
 */
export function renderRedirectUrl(settings: TriggerSettings, scope: VariableScope): string {
  const url = renderText(parseVariableText(settings.redirect_url), scope, 'url').trim();
  if (url === '') {
    throw new AppError(
      'invalid_redirect',
      'The redirect URL is empty: send the fields that it uses, or edit it in the trigger task.',
    );
  }
  const isShort = url.length <= MAX_REDIRECT_CHARACTERS;
  const isHttp = isShort && /^https?:\/\//i.test(url) && !/[\r\n]/.test(url) && URL.canParse(url);
  if (isHttp) return /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
  throw new AppError(
    'invalid_redirect',
    'The redirect URL is not an absolute http or https URL of at most 8,192 characters: correct the fields that it uses, or edit it in the trigger task.',
  );
}

/**
 * The response for an after-workflow caller, rendered by the worker. When it cannot be rendered, the caller must not send the
 * event again, because the workflow ran: the status stays 200 and the body contains the error.
 */
export function renderRunAnswer(state: RunState, failed: boolean, now: Date): RunAnswer {
  const { run, graph } = state;
  if (failed) {
    const failure = new AppError('workflow_failed', 'The workflow failed. See its run for details.');
    return renderRunError(failure, run.id);
  }
  try {
    return renderResponseBody(
      triggerOf(graph).settings,
      state.scopeOf(graph.trigger, '', now, run.event.body),
    );
  } catch (error) {
    const { code, message } = toResponseError(error);
    return renderRunError(new AppError(code, `${message} The workflow ran.`), run.id, 200);
  }
}

/** An error of a run as its caller gets it. */
export function renderRunError(error: AppError, runId: string, status = statusOf(error.code)): RunAnswer {
  const body = JSON.stringify({ error: { ...toErrorBody(error).error, run_id: runId } });
  return { status, contentType: CONTENT_TYPES.json, body };
}

/** The response for a caller whose run takes longer than callers wait. */
export function renderRunning(runId: string): RunAnswer {
  const body = JSON.stringify({ status: 'running', run_id: runId });
  return { status: 202, contentType: CONTENT_TYPES.json, body };
}

/**
 * Why a response cannot be sent, as `invalid_redirect` or `invalid_response`; other errors are `internal` and reveal nothing.
 */
function toResponseError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof VariableError)) {
    const message = 'The response could not be rendered because of an internal error.';
    return new AppError('internal', message, { cause: error });
  }
  const reason = error.message.replace(/\.$/, '');
  return new AppError('invalid_response', `The response body could not be rendered: ${reason}.`);
}

/** Settings of a trigger that name a value of each request. */
export type ValueSetting = 'order_by' | 'quiet_by' | 'search_by';

/**
 * The value that a setting of the trigger names; an empty text where the trigger does not have it, the request has no value, or it
 * cannot be rendered.
 */
export function renderValue(
  { taskId, settings }: Trigger,
  name: ValueSetting,
  received: ReceivedData,
): string {
  const text = settings[name];
  if (!text) return '';
  try {
    const scope = triggerScope(taskId, received);
    return renderText(parseVariableText(text), scope, 'none').trim();
  } catch (error) {
    if (error instanceof VariableError) return '';
    throw error;
  }
}

// The response for the caller of a production URL, rendered before the event is written: where that fails nothing starts, so
// that no caller gets an error while its workflow runs (docs/webhooks.md).

export type PreparedResponse =
  | { kind: 'body'; status: number; contentType: string; body: string }
  | { kind: 'redirect'; location: string }
  /** The run renders it. */
  | { kind: 'after_workflow' }
  | { kind: 'failed'; error: AppError };

export interface ReceivedData {
  body: JsonObject;
  headers: Record<string, string>;
  receivedAt: Date;
  /** Of the workspace; left out: UTC. */
  zone?: string | undefined;
}

/** Renders the response of a trigger's settings; it never throws. */
export function prepareResponse({ taskId, settings }: Trigger, received: ReceivedData): PreparedResponse {
  if (settings.response_type === 'after_workflow') return { kind: 'after_workflow' };
  try {
    const scope = triggerScope(taskId, received);
    if (settings.response_type === 'redirect')
      return { kind: 'redirect', location: renderRedirectUrl(settings, scope) };
    return { kind: 'body', ...renderResponseBody(settings, scope) };
  } catch (error) {
    return { kind: 'failed', error: toResponseError(error) };
  }
}

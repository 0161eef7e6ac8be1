// The response for the caller of a production URL, rendered before the event is written: where that fails nothing starts, so
// that no caller gets an error while its workflow runs (docs/webhooks.md).
import type { AppError } from '#lib/core/errors.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { Trigger } from './trigger.ts';
import { renderRedirectUrl, renderResponseBody, toResponseError, triggerScope } from './render-response.ts';

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
}

/** Renders the response of a trigger's settings; it never throws. */
export function prepareResponse(
  { taskId, settings }: Trigger,
  { body, headers, receivedAt }: ReceivedData,
): PreparedResponse {
  if (settings.response_type === 'after_workflow') return { kind: 'after_workflow' };
  try {
    const scope = triggerScope(taskId, body, headers, receivedAt);
    if (settings.response_type === 'redirect')
      return { kind: 'redirect', location: renderRedirectUrl(settings, scope) };
    return { kind: 'body', ...renderResponseBody(settings, scope) };
  } catch (error) {
    return { kind: 'failed', error: toResponseError(error) };
  }
}

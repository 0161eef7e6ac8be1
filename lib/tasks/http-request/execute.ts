import type { TaskContext, TaskExecutor, TaskResult } from '#lib/engine/task-executor.ts';
import {
  guardedRequest,
  type GuardedRequestOptions,
  type GuardedResponse,
} from '#lib/core/http/guarded-request.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { type BuiltRequest, buildRequest, isIdempotent } from './build-request.ts';
import { httpRequest, type HttpRequestSettings, type Method } from './definition.ts';
import { assertStatus, toTaskError } from './failures.ts';
import { readBody } from './read-answer.ts';

const MAX_RESPONSE_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;

const changesSomething = (method: Method): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/** @param allowedPrivateHosts hosts that may be called although they are not public: the setting ALLOWED_PRIVATE_HOSTS. */
export function createHttpRequestExecutor(options: { allowedPrivateHosts: readonly string[] }): TaskExecutor {
  return executorOf(httpRequest, {
    execute: (context) => execute(context, options.allowedPrivateHosts),
    hasSideEffect: ({ method }) => changesSomething(method),
    ifInterrupted: ({ method }) => (isIdempotent(method) ? 'retry' : 'flag'),
  });
}

async function execute(
  context: TaskContext<HttpRequestSettings>,
  allowedPrivateHosts: readonly string[],
): Promise<TaskResult> {
  const { settings } = context;
  const request = buildRequest(context);
  const response = await send(request, {
    timeoutMs: settings.timeout_seconds * 1000,
    allowedPrivateHosts,
    ...(changesSomething(settings.method) ? { beforeSending: () => context.recordSideEffect() } : {}),
  });
  assertStatus(response, request, settings.fail_on_status, context.now);
  const { status, headers, finalUrl } = response;
  const body = readBody(response.body, headers['content-type']);
  const runText = `${new URL(finalUrl).host} answered ${status}.`;
  return { kind: 'done', output: { status, headers, body }, runText };
}

async function send(
  request: BuiltRequest,
  options: Pick<GuardedRequestOptions, 'timeoutMs' | 'allowedPrivateHosts' | 'beforeSending'>,
): Promise<GuardedResponse> {
  const limits = { maxResponseBytes: MAX_RESPONSE_BYTES, maxRedirects: MAX_REDIRECTS };
  try {
    return await guardedRequest({ ...request, ...limits, ...options });
  } catch (error) {
    throw toTaskError(error, request);
  }
}

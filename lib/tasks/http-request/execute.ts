import type { SideEffect, TaskContext, TaskExecutor, TaskResult } from '#lib/engine/task-executor.ts';
import {
  guardedRequest,
  type GuardedRequestOptions,
  type GuardedResponse,
} from '#lib/core/http/guarded-request.ts';
import { isSecretName } from '#lib/core/secret-names.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { type BuiltRequest, buildRequest, isIdempotent } from './build-request.ts';
import { httpRequest, type HttpRequestSettings, type Method } from './definition.ts';
import { assertStatus, toTaskError } from './failures.ts';
import { readBody } from './read-answer.ts';

const MAX_RESPONSE_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;
const MAX_SHOWN_CHARACTERS = 20_000;
const MASK = '••••';

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
  const options = { timeoutMs: settings.timeout_seconds * 1000, allowedPrivateHosts };
  const response = changesSomething(settings.method)
    ? await context.changeOutside(describeEffect(request), () =>
        send(request, { ...options, beforeSending: () => context.recordSideEffect() }),
      )
    : await send(request, options);
  assertStatus(response, request, settings.fail_on_status, context.now);
  const { status, headers, finalUrl } = response;
  const body = readBody(response.body, headers['content-type']);
  const runText = `${new URL(finalUrl).host} answered ${status}.`;
  return { kind: 'done', output: { status, headers, body }, runText };
}

/** What a run of the draft shows of a request that it captures, and the answer that it continues with. */
function describeEffect({ method, url, headers, body = '' }: BuiltRequest): SideEffect<GuardedResponse> {
  const host = URL.parse(url)?.host ?? url;
  return {
    target: { kind: 'service', host },
    shown: () => ({
      kind: 'request',
      method,
      url: url.slice(0, MAX_SHOWN_CHARACTERS),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? MASK : value]),
      ),
      body: body.slice(0, MAX_SHOWN_CHARACTERS),
    }),
    instead: () => ({ status: 200, headers: {}, body: Buffer.alloc(0), finalUrl: `https://${host}` }),
  };
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

import type { SideEffect, TaskContext, TaskExecutor, TaskResult } from '#lib/engine/task-executor.ts';
import {
  guardedRequest,
  type GuardedRequestOptions,
  type GuardedResponse,
} from '#lib/core/http/guarded-request.ts';
import { isSecretName } from '#lib/core/secret-names.ts';
import { writeSecretVariable } from '#lib/secrets/named-secret.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { listSecretNames } from '#lib/tasks/named-secrets.ts';
import { perSettings } from '#lib/tasks/setting-values.ts';
import { type BuiltRequest, buildRequest, isRepeatable } from './build-request.ts';
import { httpRequest, type HttpRequestSettings, type Method } from './definition.ts';
import { assertStatus, readBody, toTaskError } from './read-answer.ts';

const MAX_RESPONSE_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;
const MAX_SHOWN_CHARACTERS = 20_000;
const MASK = '••••';

const changesSomething = (method: Method): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method);

const usesSecrets = perSettings(
  (settings: HttpRequestSettings) => listSecretNames(httpRequest, settings).length > 0,
);

interface Options {
  /** Allowed hosts that are not public: the setting ALLOWED_PRIVATE_HOSTS. */
  allowedPrivateHosts: readonly string[];
  /** Whether requests have trace headers of the run; default: true. */
  passesTraces?: boolean;
}

export function createHttpRequestExecutor(options: Options): TaskExecutor {
  return executorOf(httpRequest, {
    execute: (context) => execute(context, options),
    hasSideEffect: ({ method }) => changesSomething(method),
    ifInterrupted: (settings) => (isRepeatable(settings) ? 'retry' : 'flag'),
  });
}

async function execute(
  context: TaskContext<HttpRequestSettings>,
  { allowedPrivateHosts, passesTraces = true }: Options,
): Promise<TaskResult> {
  const { settings } = context;
  const request = buildRequest(context);
  const options = {
    timeoutMs: settings.timeout_seconds * 1000,
    allowedPrivateHosts,
    keepsToSite: usesSecrets(settings),
    traceHeaders: passesTraces ? context.traceHeaders?.() : undefined,
  };
  const response = changesSomething(settings.method)
    ? await context.changeOutside(describeEffect(request, settings), () =>
        send(request, { ...options, beforeSending: () => context.recordSideEffect() }),
      )
    : await send(request, options);
  assertStatus(response, request, settings.fail_on_status, context.now);
  const { status, headers, finalUrl } = response;
  const body = readBody(response.body, headers['content-type']);
  const runText = `${new URL(finalUrl).host} answered ${status}.`;
  return { kind: 'done', output: { status, headers, body }, runText };
}

/** The captured request shown in a run of the draft, and the response that the run continues with. */
function describeEffect(
  { method, url, headers, body = '' }: BuiltRequest,
  settings: HttpRequestSettings,
): SideEffect<GuardedResponse> {
  const host = URL.parse(url)?.host ?? url;
  return {
    target: { kind: 'service', host },
    shown: () => ({
      kind: 'request',
      method,
      url: url.slice(0, MAX_SHOWN_CHARACTERS),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          isSecretName(name) ? describeSecretHeader(name, settings) : value,
        ]),
      ),
      body: body.slice(0, MAX_SHOWN_CHARACTERS),
    }),
    instead: () => ({ status: 200, headers: {}, body: Buffer.alloc(0), finalUrl: `https://${host}` }),
  };
}

/** As names of secrets of the workspace, or masked. */
function describeSecretHeader(name: string, { headers }: HttpRequestSettings): string {
  const own = headers.filter((header) => header.name.toLowerCase() === name);
  return listSecretNames(httpRequest, { headers: own }).map(writeSecretVariable).join(' ') || MASK;
}

async function send(
  request: BuiltRequest,
  options: Omit<GuardedRequestOptions, 'method' | 'url' | 'maxResponseBytes' | 'maxRedirects'>,
): Promise<GuardedResponse> {
  const limits = { maxResponseBytes: MAX_RESPONSE_BYTES, maxRedirects: MAX_REDIRECTS };
  try {
    return await guardedRequest({ ...request, ...limits, ...options });
  } catch (error) {
    throw toTaskError(error, request);
  }
}

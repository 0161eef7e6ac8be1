// The one function that receives a webhook, whatever door it came through. The order of the checks is docs/webhooks.md's.
import type { Logger } from 'pino';
import type { Clock } from '#lib/core/clock.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { about } from '#lib/core/log-fields.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { secondsSince, telemetry } from '#lib/core/telemetry.ts';
import { newId } from '#lib/core/ids.ts';
import type { RunAnswer } from '#lib/engine/store-types.ts';
import type { Arrival } from '#lib/engine/store/start-runs.ts';
import { type AdmitDeps, admit } from './admit.ts';
import type { Answers } from './answers.ts';
import { type BodyLimits, type CheckedBody, isRefusedForm, withCheckedBody } from './check-body.ts';
import { answerPreflight, isPreflight } from './callers/answer-preflight.ts';
import { CallerGate, checkCaller } from './callers/caller-gate.ts';
import { CallerRefusal } from './callers/caller-refusal.ts';
import { type CallerRules, keptHeaders } from './callers/caller-rules.ts';
import type { FindCallerRules } from './callers/find-caller-rules.ts';
import type { PendingFiles } from './forms/stored-form.ts';
import type { NotificationReader } from './notification-reader.ts';
import type { ObjectBody } from './object-body.ts';
import { answerHandshake, readNotification } from './platform-requests.ts';
import type { RateLimit } from './rate-limit.ts';
import type { KnownToken } from './tokens.ts';
import { renderRunning } from './render-response.ts';
import type { WebhookAnswer, WebhookRequest } from './types.ts';

export interface ReceiverDeps extends AdmitDeps {
  answers: Answers;
  bodyLimits: BodyLimits;
  rateLimit: RateLimit;
  findCallerRules: FindCallerRules;
  clock: Clock;
  logger: Logger;
  /** Left out: notifications of the platform are treated as any other body. */
  notifications?: NotificationReader | undefined;
  settings: {
    /** Requests a second of a workspace without its own limit; 0: no limit. */
    ratePerSecond: number;
    answerTimeoutSeconds: number;
  };
}

export type ReceiveWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;

export function createReceiver(deps: ReceiverDeps): ReceiveWebhook {
  return async (request) => {
    if (!telemetry.webhook.isHeard) return answerSafely(() => receive(request, deps), deps);
    const start = performance.now();
    const answer = await answerSafely(() => receive(request, deps), deps);
    const { kind, method, headers } = request;
    telemetry.webhook.tell({
      reason: answer.refused ?? 'accepted',
      mode: modeOf(answer),
      seconds: secondsSince(start),
      kind,
      method,
      status: answer.status,
      headers,
      eventId: answer.headers['X-Event-Id'],
    });
    return answer;
  };
}

function modeOf({ refused, isOutput, status }: WebhookAnswer) {
  if (refused !== undefined) return 'refused';
  if (isOutput) return 'after_workflow';
  return status === 302 ? 'redirect' : 'immediate';
}

async function answerSafely(
  answer: () => Promise<WebhookAnswer>,
  deps: Pick<ReceiverDeps, 'logger'>,
): Promise<WebhookAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof AppError) return errorAnswer(error);
    deps.logger.error({ err: error }, 'a webhook could not be received');
    const busy = new AppError(
      'overloaded',
      'The event could not be stored right now. Send the request again.',
      {
        retryAfterSeconds: 2,
      },
    );
    return errorAnswer(busy);
  }
}

async function receive(request: WebhookRequest, deps: ReceiverDeps): Promise<WebhookAnswer> {
  if (request.method === 'GET' && deps.notifications) {
    const handshake = await answerHandshake(request, deps.tokens, deps.notifications);
    if (handshake) return handshake;
  }
  if (request.method !== 'POST') {
    const preflight = isPreflight(request) && (await answerPreflight(request, deps));
    if (preflight) return preflight;
    return errorAnswer(new AppError('method_not_allowed', 'Webhooks are sent with POST.'), { Allow: 'POST' });
  }
  let { token, rules } = await findTrigger(request, deps);
  if (isRefusedForm(request.headers, rules)) {
    // A version that accepts it may have just been published.
    deps.tokens.forget(request.token);
    ({ token, rules } = await findTrigger(request, deps));
  }
  if (!rules?.originHeaders) return receiveFrom({ request, token, rules }, deps);
  const answer = await answerSafely(() => receiveFrom({ request, token, rules }, deps), deps);
  return { ...answer, headers: { ...answer.headers, ...rules.originHeaders(request.headers['origin']) } };
}

async function findTrigger(
  { token: text, kind }: WebhookRequest,
  { tokens, findCallerRules }: ReceiverDeps,
): Promise<Omit<FromCaller, 'request'>> {
  const token = await tokens.find(text);
  if (!token) throw unknownWebhook();
  const found = findCallerRules(token, kind);
  return { token, rules: found instanceof Promise ? await found : found };
}

interface FromCaller {
  request: WebhookRequest;
  token: KnownToken;
  rules: CallerRules | undefined;
}

async function receiveFrom(
  { request, token, rules }: FromCaller,
  deps: ReceiverDeps,
): Promise<WebhookAnswer> {
  const gate = rules && openGate(request, rules, deps);
  const outcome = await withCheckedBody(
    request,
    deps.bodyLimits,
    (checked) => receiveChecked(checked, { request, token, gate }, deps),
    gate,
  );
  return 'awaited' in outcome ? awaitRun(outcome.awaited, deps) : outcome;
}

const openGate = (request: WebhookRequest, rules: CallerRules, deps: ReceiverDeps): CallerGate =>
  new CallerGate(request, rules, {
    now: deps.clock.now(),
    refresh: async () => {
      deps.tokens.forget(request.token);
      const known = await deps.tokens.find(request.token);
      return known && deps.findCallerRules(known, request.kind);
    },
  });

/** The response, or the run that renders it: the body is released while its caller waits. */
type Outcome = WebhookAnswer | { awaited: EventIds };
type EventIds = Pick<Arrival, 'eventId' | 'runId'>;

const unknownWebhook = (): AppError =>
  new AppError(
    'unknown_webhook',
    'No webhook exists at this address. Copy the URL from the trigger task again.',
  );

async function receiveChecked(
  given: CheckedBody,
  { request, token, gate }: { request: WebhookRequest; token: KnownToken; gate: CallerGate | undefined },
  deps: ReceiverDeps,
): Promise<Outcome> {
  const rate = token.ratePerSecond ?? deps.settings.ratePerSecond;
  if (!(await deps.rateLimit.tryTake(token.workspaceId, rate))) {
    throw new AppError(
      'rate_limited',
      'This workspace receives more webhooks per second than its limit allows. Send the event again later.',
      { retryAfterSeconds: 1 },
    );
  }
  const checked = deps.notifications
    ? await readNotification(given, request, token.workspaceId, deps.notifications)
    : given;
  const arrival: Arrival = {
    eventId: newId(),
    runId: newId(),
    tokenHash: token.hash,
    kind: request.kind,
    receivedAt: deps.clock.now(),
    headers: keptHeaders(request.headers, gate?.rules, 'refusal' in checked ? checked.refusal : undefined),
    body: checked.bytes,
    refusal: 'refusal' in checked ? checked.refusal.message : null,
  };
  if ('refusal' in checked) {
    if (await deps.intake(arrival)) return errorAnswer(checked.refusal, eventHeader(arrival));
    throw unknownWebhook();
  }
  const { object } = checked;
  const answer = async (removeFiles?: () => Promise<void>): Promise<Outcome> => {
    const outcome =
      request.kind === 'test'
        ? await receiveTest(arrival, object, deps)
        : await receiveToRun(
            arrival,
            {
              object,
              token: request.token,
              known: token,
              checkAgain: async (known) =>
                checkCaller(
                  await deps.findCallerRules(known, request.kind),
                  request,
                  gate?.body ?? given.bytes ?? undefined,
                  arrival.receivedAt,
                ),
            },
            deps,
            removeFiles,
          );
    if (!outcome) throw unknownWebhook();
    return outcome;
  };
  return 'files' in given && given.files ? withFiles(given.files, answer) : answer();
}

/** Saves a form's files before the event that refers to them; they are removed again if there is no event that can run. */
async function withFiles<Result>(
  files: PendingFiles,
  work: (remove: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  await files.save();
  const remove = (): Promise<void> => files.remove();
  try {
    return await work(remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Stores an event that starts nothing, and shows its caller the output that tasks would see. */
async function receiveTest(
  arrival: Arrival,
  object: ObjectBody,
  { intake }: ReceiverDeps,
): Promise<WebhookAnswer | undefined> {
  const admission = await intake(arrival);
  if (admission?.outcome !== 'tested') return undefined;
  const body = await object.describe(arrival.eventId, admission.triggerTaskId);
  return ranAnswer(arrival, { status: 200, contentType: 'application/json', body });
}

async function receiveToRun(
  arrival: Arrival,
  received: Parameters<typeof admit>[1],
  deps: ReceiverDeps,
  removeFiles?: () => Promise<void>,
): Promise<Outcome | undefined> {
  const admitted = await admit(arrival, received, deps);
  switch (admitted?.kind) {
    case undefined:
      return undefined;
    case 'refused': {
      const { refusal } = admitted;
      await removeFiles?.();
      const headers = keptHeaders(arrival.headers, undefined, refusal);
      const kept = await deps.intake({ ...arrival, headers, refusal: refusal.message, response: undefined });
      return kept && errorAnswer(refusal, eventHeader(arrival));
    }
    case 'not_active':
      return errorAnswer(notActive(admitted.isPublished), eventHeader(arrival));
    case 'body':
      return { ...ranAnswer(arrival, admitted), isOutput: admitted.isOutput === true };
    case 'redirect':
      return {
        status: 302,
        headers: { ...ANSWER_HEADERS, ...eventHeader(arrival), Location: admitted.location },
        body: '',
      };
    case 'after_workflow':
      return { awaited: { eventId: arrival.eventId, runId: arrival.runId } };
    case 'failed':
      if (admitted.error.code === 'internal')
        deps.logger.error(
          { err: admitted.error, ...about({ event: told(arrival) }) },
          'A webhook response failed',
        );
      return errorAnswer(notStarted(admitted.error), eventHeader(arrival));
  }
}

const told = ({ eventId, headers }: Arrival) => ({ id: eventId, isReplay: false, headers });

const eventHeader = ({ eventId }: EventIds): { 'X-Event-Id': string } => ({ 'X-Event-Id': eventId });

const notStarted = ({ code, message }: AppError): AppError =>
  new AppError(code, `${message} The workflow did not start. The event was saved and can be replayed.`);

const notActive = (isPublished: boolean): AppError =>
  new AppError(
    'workflow_not_active',
    isPublished
      ? 'The workflow is paused. The event is stored and can be replayed once the workflow is active.'
      : 'The workflow is not published. The event is stored and can be replayed once it is published.',
  );

async function awaitRun(ids: EventIds, deps: ReceiverDeps): Promise<WebhookAnswer> {
  const answer = await deps.answers.wait(ids.runId, deps.settings.answerTimeoutSeconds * 1000);
  return { ...ranAnswer(ids, answer ?? renderRunning(ids.runId)), isOutput: true };
}

function ranAnswer(ids: EventIds, { status, contentType, body }: RunAnswer): WebhookAnswer {
  const headers = { ...ANSWER_HEADERS, ...eventHeader(ids), 'Content-Type': contentType };
  return { status, headers, body };
}

function errorAnswer(error: AppError, extra: Record<string, string> = {}): WebhookAnswer {
  const headers: Record<string, string> = { ...ANSWER_HEADERS, 'Content-Type': 'application/json', ...extra };
  if (error instanceof CallerRefusal && error.challenge !== undefined)
    headers['WWW-Authenticate'] = error.challenge;
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  return {
    status: statusOf(error.code),
    headers,
    body: JSON.stringify(toErrorBody(error)),
    refused: error.code,
  };
}

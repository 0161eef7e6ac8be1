// The one function that receives a webhook, whatever door it came through. The order of the checks is docs/webhooks.md's.
import type { Logger } from 'pino';
import type { Clock } from '#lib/core/clock.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { about } from '#lib/core/log-fields.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { secondsSince, telemetry } from '#lib/core/telemetry.ts';
import { newId } from '#lib/core/ids.ts';
import type { RunAnswer } from '#lib/engine/engine-deps.ts';
import type { Arrival } from '#lib/engine/store/start-runs.ts';
import { type AdmitDeps, type Admitted, admit } from './admit.ts';
import type { Answers } from './answers.ts';
import { CalledTrigger, type TriggerDeps, unknownWebhook } from './called-trigger.ts';
import { CallerRefusal, keptHeaders } from './callers/caller-rules.ts';
import { answerPreflight, isPreflight } from './callers/find-caller-rules.ts';
import { type BodyLimits, openBody } from './check-body.ts';
import type { ObjectBody } from './object-body.ts';
import { answerHandshake, readNotification } from './platform-requests.ts';
import type { RateLimit } from './rate-limit.ts';
import type { KnownToken } from './tokens.ts';
import { renderRunning } from './render-response.ts';
import type { NotificationReader, WebhookAnswer, WebhookRequest } from './types.ts';

export interface ReceiverDeps extends AdmitDeps, TriggerDeps {
  answers: Answers;
  bodyLimits: BodyLimits;
  rateLimit: RateLimit;
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
  if (request.method !== 'POST') return answerOtherMethod(request, deps);
  const trigger = await CalledTrigger.find(request, deps, deps.clock.now());
  if (!trigger.rules?.originHeaders) return receiveFor(trigger, request, deps);
  const answer = await answerSafely(() => receiveFor(trigger, request, deps), deps);
  const added = trigger.rules.originHeaders?.(request.headers['origin']);
  return { ...answer, headers: { ...answer.headers, ...added } };
}

async function answerOtherMethod(request: WebhookRequest, deps: ReceiverDeps): Promise<WebhookAnswer> {
  const handshake =
    request.method === 'GET' &&
    deps.notifications &&
    (await answerHandshake(request, deps.tokens, deps.notifications));
  if (handshake) return handshake;
  const preflight = isPreflight(request) && (await answerPreflight(request, deps));
  if (preflight) return preflight;
  return errorAnswer(new AppError('method_not_allowed', 'Webhooks are sent with POST.'), { Allow: 'POST' });
}

/** A body is released while its caller waits for the run. */
async function receiveFor(
  trigger: CalledTrigger,
  request: WebhookRequest,
  deps: ReceiverDeps,
): Promise<WebhookAnswer> {
  const outcome = await receiveBody(trigger, request, deps);
  if (!('awaited' in outcome)) return outcome;
  const answer = await awaitRun(outcome.awaited, deps);
  return outcome.isCopy ? asCopy(answer) : answer;
}

/** The response, or the run that renders it. */
type Outcome = WebhookAnswer | { awaited: EventIds; isCopy?: boolean };
type EventIds = Pick<Arrival, 'eventId' | 'runId'>;

async function receiveBody(
  trigger: CalledTrigger,
  request: WebhookRequest,
  deps: ReceiverDeps,
): Promise<Outcome> {
  await using held = new AsyncDisposableStack();
  const body = await openBody(request, deps.bodyLimits, trigger, held);
  await takeRate(trigger.token, deps);
  const checked = deps.notifications
    ? await readNotification(body, request, trigger.token.workspaceId, deps.notifications)
    : body;
  const refusal = 'refusal' in checked ? checked.refusal : undefined;
  const arrival: Arrival = {
    eventId: newId(),
    runId: newId(),
    tokenHash: trigger.token.hash,
    kind: request.kind,
    receivedAt: deps.clock.now(),
    headers: keptHeaders(request.headers, trigger.rules, refusal),
    body: checked.bytes,
    refusal: null,
  };
  if ('refusal' in checked) return refuse(arrival, checked.refusal, deps);
  const { files, contents } = 'files' in body ? body : NO_FILES;
  // Before the event that refers to them.
  await files?.save();
  const admitted =
    request.kind === 'test'
      ? await admitTest(arrival, checked.object, deps)
      : await admit(arrival, checked.object, trigger, deps, contents);
  if (admitted.kind === 'refused')
    return refuse(
      { ...arrival, headers: keptHeaders(arrival.headers, undefined, admitted.refusal) },
      admitted.refusal,
      deps,
    );
  if (admitted.kind !== 'duplicate' && admitted.kind !== 'key_reused') files?.keep();
  return answerAdmitted(arrival, admitted, deps);
}

const NO_FILES = { files: undefined, contents: undefined };

/** @throws AppError `rate_limited` */
async function takeRate(
  { workspaceId, ratePerSecond }: KnownToken,
  { rateLimit, settings }: ReceiverDeps,
): Promise<void> {
  if (await rateLimit.tryTake(workspaceId, ratePerSecond ?? settings.ratePerSecond)) return;
  throw new AppError(
    'rate_limited',
    'This workspace receives more webhooks per second than its limit allows. Send the event again later.',
    { retryAfterSeconds: 1 },
  );
}

/** Stores what arrived with why it was refused. */
async function refuse(arrival: Arrival, refusal: AppError, { intake }: ReceiverDeps): Promise<WebhookAnswer> {
  if (!(await intake({ ...arrival, refusal: refusal.message }))) throw unknownWebhook();
  return errorAnswer(refusal, eventHeader(arrival));
}

/** Stores an event that starts nothing, and shows its caller the output that tasks would see. */
async function admitTest(arrival: Arrival, object: ObjectBody, { intake }: ReceiverDeps): Promise<Admitted> {
  const admission = await intake(arrival);
  if (admission?.outcome !== 'tested') throw unknownWebhook();
  const body = await object.describe(arrival.eventId, admission.triggerTaskId);
  return { kind: 'body', status: 200, contentType: 'application/json', body };
}

function answerAdmitted(
  arrival: Arrival,
  admitted: Exclude<Admitted, { kind: 'refused' }>,
  { logger }: ReceiverDeps,
): Outcome {
  switch (admitted.kind) {
    case 'not_active':
      return errorAnswer(notActive(admitted.isPublished), eventHeader(arrival));
    case 'body':
      return { ...ranAnswer(arrival, admitted), isOutput: admitted.isOutput === true };
    case 'redirect':
      return redirectAnswer(arrival, admitted.location);
    case 'after_workflow':
      return { awaited: { eventId: arrival.eventId, runId: admitted.runId ?? arrival.runId } };
    case 'duplicate':
      return answerCopy(arrival, admitted);
    case 'key_reused':
      return errorAnswer(new AppError('key_reused', admitted.problem), eventHeader(arrival));
    case 'failed':
      if (admitted.error.code === 'internal')
        logger.error(
          { err: admitted.error, ...about({ event: toLogged(arrival) }) },
          'A webhook response failed',
        );
      return errorAnswer(notStarted(admitted.error), eventHeader(arrival));
  }
}

/** The response of the first request, with the id of its event. */
function answerCopy(
  arrival: Arrival,
  { first, whileRunning }: Extract<Admitted, { kind: 'duplicate' }>,
): Outcome {
  const { answer } = first;
  if (answer !== null)
    return asCopy('location' in answer ? redirectAnswer(first, answer.location) : ranAnswer(first, answer));
  if (whileRunning === 'wait') return { awaited: first, isCopy: true };
  return errorAnswer(
    new AppError(
      'duplicate_in_progress',
      'The first request with this key is still running. Send this one again later to get its response.',
      { retryAfterSeconds: 1 },
    ),
    eventHeader(arrival),
  );
}

const asCopy = (answer: WebhookAnswer): WebhookAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'Idempotent-Replayed': 'true' },
});

const toLogged = ({ eventId, headers }: Arrival) => ({ id: eventId, isReplay: false, headers });

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

const redirectAnswer = (ids: EventIds, location: string): WebhookAnswer => ({
  status: 302,
  headers: { ...ANSWER_HEADERS, ...eventHeader(ids), Location: location },
  body: '',
});

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

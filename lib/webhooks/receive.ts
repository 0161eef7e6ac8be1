// The one function that receives a webhook, whatever door it came through. The order of the checks is docs/webhooks.md's.
import type { Logger } from 'pino';
import type { Clock } from '#lib/core/clock.ts';
import { AppError, statusOf, toErrorBody } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import type { RunAnswer } from '#lib/engine/store-types.ts';
import type { Arrival } from '#lib/engine/store/start-runs.ts';
import { type AdmitDeps, admit } from './admit.ts';
import type { Answers } from './answers.ts';
import { type BodyLimits, type CheckedBody, withCheckedBody } from './check-body.ts';
import type { NotificationReader } from './notification-reader.ts';
import type { ObjectBody } from './object-body.ts';
import { answerHandshake, readNotification } from './platform-requests.ts';
import type { RateLimit } from './rate-limit.ts';
import type { KnownToken } from './tokens.ts';
import { ALWAYS, type WebhookAnswer, type WebhookRequest } from './types.ts';

export interface ReceiverDeps extends AdmitDeps {
  answers: Answers;
  bodyLimits: BodyLimits;
  rateLimit: RateLimit;
  clock: Clock;
  logger: Logger;
  /** Left out: notifications of the platform are bodies as any other. */
  notifications?: NotificationReader | undefined;
  settings: {
    /** Requests a second of a workspace that sets none; 0: no limit. */
    ratePerSecond: number;
    answerTimeoutSeconds: number;
  };
}

export type ReceiveWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;

export function createReceiver(deps: ReceiverDeps): ReceiveWebhook {
  return async (request) => {
    try {
      return await receive(request, deps);
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
  };
}

async function receive(request: WebhookRequest, deps: ReceiverDeps): Promise<WebhookAnswer> {
  if (request.method === 'GET' && deps.notifications) {
    const handshake = await answerHandshake(request, deps.tokens, deps.notifications);
    if (handshake) return handshake;
  }
  if (request.method !== 'POST') {
    return errorAnswer(new AppError('method_not_allowed', 'Webhooks are sent with POST.'), { Allow: 'POST' });
  }
  const token = await deps.tokens.find(request.token);
  if (!token) throw unknownWebhook();
  const outcome = await withCheckedBody(request, deps.bodyLimits, (checked) =>
    receiveChecked(checked, request, token, deps),
  );
  return 'awaited' in outcome ? awaitRun(outcome.awaited, deps) : outcome;
}

/** The answer, or the run that renders it: while its caller waits nothing of the body is held. */
type Outcome = WebhookAnswer | { awaited: EventIds };
type EventIds = Pick<Arrival, 'eventId' | 'runId'>;

const unknownWebhook = (): AppError =>
  new AppError(
    'unknown_webhook',
    'No webhook exists at this address. Copy the URL from the trigger task again.',
  );

async function receiveChecked(
  given: CheckedBody,
  request: WebhookRequest,
  token: KnownToken,
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
    headers: request.headers,
    body: checked.bytes,
    refusal: 'refusal' in checked ? checked.refusal.message : null,
  };
  const outcome =
    'refusal' in checked
      ? (await deps.intake(arrival)) && errorAnswer(checked.refusal, eventHeader(arrival))
      : request.kind === 'test'
        ? await receiveTest(arrival, checked.object, deps)
        : await receiveToRun(arrival, { object: checked.object, token: request.token, known: token }, deps);
  if (!outcome) throw unknownWebhook();
  return outcome;
}

/** Keeps an event that starts nothing, and shows its caller what tasks would see of it. */
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
): Promise<Outcome | undefined> {
  const admitted = await admit(arrival, received, deps);
  switch (admitted?.kind) {
    case undefined:
      return undefined;
    case 'not_active':
      return errorAnswer(notActive(admitted.isPublished), eventHeader(arrival));
    case 'body':
      return ranAnswer(arrival, admitted);
    case 'redirect':
      return {
        status: 302,
        headers: { ...ALWAYS, ...eventHeader(arrival), Location: admitted.location },
        body: '',
      };
    case 'after_workflow':
      return { awaited: { eventId: arrival.eventId, runId: arrival.runId } };
    case 'failed':
      if (admitted.error.code === 'internal')
        deps.logger.error({ err: admitted.error, event_id: arrival.eventId }, 'A webhook response failed');
      return errorAnswer(notStarted(admitted.error), eventHeader(arrival));
  }
}

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
  const body = JSON.stringify({ status: 'running', run_id: ids.runId });
  return ranAnswer(ids, answer ?? { status: 202, contentType: 'application/json', body });
}

function ranAnswer(ids: EventIds, { status, contentType, body }: RunAnswer): WebhookAnswer {
  const headers = { ...ALWAYS, ...eventHeader(ids), 'Content-Type': contentType };
  return { status, headers, body };
}

function errorAnswer(error: AppError, extra: Record<string, string> = {}): WebhookAnswer {
  const headers: Record<string, string> = { ...ALWAYS, 'Content-Type': 'application/json', ...extra };
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  return { status: statusOf(error.code), headers, body: JSON.stringify(toErrorBody(error)) };
}

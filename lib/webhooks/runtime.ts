// One receiver per process, shared by both doors.
import { about } from '#lib/core/log-fields.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { createFirstLegs, type FirstLegDeps } from '#lib/engine/first-leg.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import type { AdmitDeps } from './admit.ts';
import { createAnswers } from './answers.ts';
import { BytesInFlight } from './body.ts';
import type { BodyThread } from './body-thread/client.ts';
import { createBodyWork } from './body-work.ts';
import { createFindCallerRules } from './callers/find-caller-rules.ts';
import type { LoadFormParts } from './forms/form-files.ts';
import { createFormUploads } from './forms/stored-form.ts';
import { createIntake } from './intake.ts';
import type { NotificationReader } from './types.ts';
import { createRateLeases } from './rate-leases.ts';
import { RateLimit } from './rate-limit.ts';
import { renderRunAnswer } from './render-response.ts';
import { createReceiver, type ReceiveWebhook } from './receive.ts';
import { createTokens } from './tokens.ts';

export interface WebhookRuntime {
  receive: ReceiveWebhook;
  /** Answers after-workflow callers that their run continues; no caller waits from now on. */
  stopWaiting(): void;
  /** Settles when all received requests are answered; the connections stay open. */
  close(): Promise<void>;
}

/** A body whose caller disconnected may never end behind Next's door: after this time it is abandoned. */
const LAST_ANSWERS_MS = 2000;

/** What the process that opens the doors injects. */
export interface WebhookParts {
  /** Parses large bodies. */
  thread?: BodyThread;
  /** Tasks that are executed before the webhook is committed. */
  instantTasks?: Pick<FirstLegDeps, 'findExecutor' | 'isInstant' | 'maxMs'>;
  notifications?: NotificationReader;
  /** Loads the parser of multipart forms and the storage of their files. */
  loadFormParts?: LoadFormParts;
}

const noForms: LoadFormParts = () =>
  Promise.reject(new Error('This process was started without what reads multipart forms.'));

/** The bodies in the process: metrics read them before a receiver exists. */
export const bodiesInFlight = (runtime: ProcessRuntime): BytesInFlight =>
  runtime.once('bodies in flight', () => new BytesInFlight(runtime.settings.MAX_BYTES_IN_FLIGHT));

/** The process's receiver, made on first use. */
export const webhookRuntime = (runtime: ProcessRuntime, parts: WebhookParts = {}): WebhookRuntime =>
  runtime.once('webhooks', () => createWebhookRuntime(runtime, parts));

function createWebhookRuntime(
  runtime: ProcessRuntime,
  { thread, instantTasks, notifications, loadFormParts = noForms }: WebhookParts,
): WebhookRuntime {
  const { settings, logger, clock, hot: pool } = runtime;
  const load: AdmitDeps['loadGraph'] = (workflowId, version) => loadGraph(pool, workflowId, version);
  const answers = createAnswers(pool, logger);
  const rateLimit = new RateLimit(createRateLeases(pool, settings.WEBHOOK_RATE_PER_SECOND));
  const receive = createReceiver({
    tokens: createTokens(pool),
    findCallerRules: createFindCallerRules({ pool, secrets: () => runtime.secrets, loadGraph: load }),
    loadGraph: load,
    executeFirstLeg:
      instantTasks && settings.FIRST_LEG === 'on'
        ? createFirstLegs({
            ...instantTasks,
            clock,
            renderAnswer: (state, failed) => renderRunAnswer(state, failed, clock.now()),
            onUnexpectedError: (error, { taskId }, runId) =>
              logger.error(
                { err: error, ...about({ runId, taskId }) },
                'a task failed with an internal error',
              ),
          })
        : undefined,
    intake: createIntake(pool),
    answers,
    bodyLimits: {
      maxBodyBytes: settings.MAX_BODY_BYTES,
      inFlight: bodiesInFlight(runtime),
      bodies: createBodyWork(thread),
      uploads: createFormUploads(settings.MAX_UPLOAD_BYTES, loadFormParts),
    },
    rateLimit,
    notifications,
    clock,
    logger,
    settings: {
      ratePerSecond: settings.WEBHOOK_RATE_PER_SECOND,
      answerTimeoutSeconds: settings.ANSWER_TIMEOUT_SECONDS,
    },
  });
  let underWay = 0;
  let tellIdle = (): void => undefined;
  return {
    async receive(request) {
      underWay += 1;
      try {
        return await receive(request);
      } finally {
        underWay -= 1;
        if (underWay === 0) tellIdle();
      }
    },
    stopWaiting: () => answers.close(),
    async close() {
      answers.close();
      rateLimit.close();
      if (underWay > 0) {
        await new Promise<void>((resolve) => {
          tellIdle = resolve;
          setTimeout(resolve, LAST_ANSWERS_MS);
        });
      }
      await thread?.close();
    },
  };
}

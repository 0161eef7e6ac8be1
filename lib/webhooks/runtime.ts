// One receiver a process, shared by both doors: Next bundles its own copy of this module, so it lives on globalThis.
import type { Logger } from 'pino';
import { systemClock } from '#lib/core/clock.ts';
import { openHotPool } from '#lib/core/db/client.ts';
import type { Settings } from '#lib/core/env.ts';
import { createAnswers } from './answers.ts';
import { BytesInFlight } from './body.ts';
import type { BodyThread } from './body-thread/client.ts';
import { createBodyWork } from './body-work.ts';
import { createTriggerFinder } from './find-trigger.ts';
import { createIntake } from './intake.ts';
import { createRateLeases } from './rate-leases.ts';
import { RateLimit } from './rate-limit.ts';
import { createReceiver, type ReceiveWebhook } from './receive.ts';
import { createTokens } from './tokens.ts';

export interface WebhookRuntime {
  receive: ReceiveWebhook;
  /** Answers after-workflow callers that their run continues; from now on none waits. */
  stopWaiting(): void;
  close(): Promise<void>;
}

const KEY = Symbol.for('patchbay.webhooks');
/** A body whose caller went away may never end behind Next's door: what is still open then is let go. */
const LAST_ANSWERS_MS = 2000;

/** The process's receiver, made on first use; `thread` is where large bodies are parsed. */
export function webhookRuntime(settings: Settings, logger: Logger, thread?: BodyThread): WebhookRuntime {
  const shared = globalThis as { [KEY]?: WebhookRuntime };
  shared[KEY] ??= createWebhookRuntime(settings, logger, thread);
  return shared[KEY];
}

/** A receiver with connections of its own; `close` ends them when what was received is answered. */
function createWebhookRuntime(settings: Settings, logger: Logger, thread?: BodyThread): WebhookRuntime {
  const pool = openHotPool(settings.DATABASE_URL, { maxConnections: 8, name: 'patchbay-webhooks' });
  const answers = createAnswers(pool, logger);
  const rateLimit = new RateLimit(createRateLeases(pool, settings.WEBHOOK_RATE_PER_SECOND));
  const receive = createReceiver({
    tokens: createTokens(pool),
    findTrigger: createTriggerFinder(pool),
    intake: createIntake(pool),
    answers,
    bodyLimits: {
      maxBodyBytes: settings.MAX_BODY_BYTES,
      inFlight: new BytesInFlight(settings.MAX_BYTES_IN_FLIGHT),
      bodies: createBodyWork(thread),
    },
    rateLimit,
    clock: systemClock,
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
      await pool.end();
    },
  };
}

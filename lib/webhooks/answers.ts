// Callers of after-workflow webhooks wait here, in the process they called; their runs may finish in any process. A
// notification wakes them early; a slow poll catches lost notifications.
import type { Logger } from 'pino';
import type { Pool } from '#lib/core/db/client.ts';
import { listen } from '#lib/core/db/listen.ts';
import { ANSWERS_CHANNEL, findAnswers } from '#lib/engine/store/answers.ts';
import type { RunAnswer } from '#lib/engine/engine-deps.ts';

const POLL_MS = 1000;

type Settle = (answer: RunAnswer | undefined) => void;

export interface Answers {
  /** Resolves with the run's response, or undefined when there is none by the deadline. */
  wait(runId: string, timeoutMs: number): Promise<RunAnswer | undefined>;
  /** Ends all waits, current and future: their runs continue without them. */
  close(): void;
}

export function createAnswers(pool: Pool, logger: Logger): Answers {
  /** By run: several callers wait for one if they sent copies of a webhook. */
  const waiting = new Map<string, Set<Settle>>();
  const due = new Set<string>();
  /** Runs that finished before their caller began to wait; the previous generation is dropped at each poll. */
  let early = new Set<string>();
  let earlier = new Set<string>();
  let fetching = false;
  let closed = false;

  async function fetchDue(): Promise<void> {
    if (fetching) return;
    fetching = true;
    try {
      while (due.size > 0) {
        const ids = [...due];
        due.clear();
        for (const { id, answer } of await findAnswers(pool, ids)) settleAll(id, answer);
      }
    } catch (error) {
      logger.warn({ err: error }, 'answers could not be read; retrying');
    } finally {
      fetching = false;
    }
  }

  /** Settling one removes it. */
  function settleAll(runId: string, answer: RunAnswer | undefined): void {
    for (const settle of waiting.get(runId) ?? []) settle(answer);
  }

  function leave(runId: string, settle: Settle): void {
    const callers = waiting.get(runId);
    callers?.delete(settle);
    if (callers?.size === 0) waiting.delete(runId);
  }

  function ask(ids: Iterable<string>): void {
    for (const id of ids) {
      if (waiting.has(id)) due.add(id);
      else early.add(id);
    }
    if (due.size > 0) void fetchDue();
  }

  const listener = listen(pool, ANSWERS_CHANNEL, (payload) => ask(payload.split(',')));
  const poll = setInterval(() => {
    earlier = early;
    early = new Set();
    ask(waiting.keys());
  }, POLL_MS);
  poll.unref();

  return {
    async wait(runId, timeoutMs) {
      if (closed) return undefined;
      return new Promise((resolve) => {
        const settle: Settle = (answer) => {
          clearTimeout(timer);
          leave(runId, settle);
          resolve(answer);
        };
        const timer = setTimeout(() => settle(undefined), timeoutMs);
        const callers = waiting.get(runId);
        if (callers) callers.add(settle);
        else waiting.set(runId, new Set([settle]));
        if (early.delete(runId) || earlier.delete(runId)) ask([runId]);
      });
    },
    close() {
      closed = true;
      clearInterval(poll);
      for (const runId of waiting.keys()) settleAll(runId, undefined);
      listener.stop();
    },
  };
}

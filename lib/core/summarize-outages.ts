// While the database is away every request, heartbeat and poll fails, and each says so: thousands of equal lines a
// second. The log has the first of each kind with its cause, then counts.
import type { Level, LogFn, Logger } from 'pino';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';

const SUMMARY_MS = 5000;

interface Outage {
  startedAt: number;
  /** Since the last summary. */
  count: number;
  total: number;
  cause: string;
}

type LogMethod = (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void;

/**
 * Makes a `logMethod` hook for pino. Lines whose `err` says that the database cannot be reached are written once for
 * each message; while more of them come, a line every `summaryMs` counts them, and one says when no more came. Every
 * other line passes as it is.
 */
export function summarizeOutages({ summaryMs = SUMMARY_MS } = {}): LogMethod {
  const outages = new Map<string, Outage>();

  const watch = (logger: Logger, message: string, level: Level): void => {
    const timer = setInterval(() => {
      const outage = outages.get(message);
      if (!outage) return;
      const { count, total, cause } = outage;
      outage.count = 0;
      if (count > 0) {
        logger[level]({ count, cause }, `${message} (repeated)`);
        return;
      }
      clearInterval(timer);
      outages.delete(message);
      if (total === 1) return;
      const seconds = Math.round((Date.now() - outage.startedAt) / 1000);
      logger.warn({ total, seconds }, `${message} (over)`);
    }, summaryMs);
    timer.unref();
  };

  return function logMethod(args, method, level) {
    const [bindings, message] = args as [unknown, unknown];
    const error = outageErrorOf(bindings);
    if (!error || typeof message !== 'string') return method.apply(this, args);
    const known = outages.get(message);
    if (known) {
      known.count += 1;
      known.total += 1;
      known.cause = error.message;
      return;
    }
    outages.set(message, { startedAt: Date.now(), count: 0, total: 1, cause: error.message });
    watch(this, message, this.levels.labels[level] as Level);
    method.apply(this, args);
  };
}

function outageErrorOf(bindings: unknown): Error | undefined {
  if (typeof bindings !== 'object' || bindings === null || !('err' in bindings)) return undefined;
  const { err } = bindings;
  if (!(err instanceof Error)) return undefined;
  // The cause first: drizzle's message around it holds the statement and its values.
  return [err.cause, err].find((error): error is Error => isDatabaseUnavailable(error));
}

// While the database is unavailable every request, heartbeat and poll fails: thousands of equal log lines a second. The log
// gets the first of each kind with its cause, then counts.
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
 * Creates a `logMethod` hook for pino. Lines whose `err` means that the database is unavailable are written once per message;
 * further ones are counted in a line every `summaryMs`, and a last line says that they have stopped. All other lines pass
 * unchanged.
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
  // The cause first: the message of drizzle's wrapper contains the statement and its values.
  return [err.cause, err].find((error): error is Error => isDatabaseUnavailable(error));
}

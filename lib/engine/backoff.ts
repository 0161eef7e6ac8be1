import type { RetryAdvice } from './task-executor.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15 * 60 * 1000;

/**
 * Milliseconds until the next attempt: exponential with full jitter, or at least what the other side asked for (Retry-After).
 * @param attempt the attempt that failed, from 1
 * @param random in [0, 1)
 */
export function backoffMs(
  advice: Exclude<RetryAdvice, { kind: 'put_off' }>,
  attempt: number,
  random: number,
): number {
  if (advice.kind === 'after') return Math.min(advice.seconds * 1000, 24 * 60 * 60 * 1000);
  const ceiling = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return Math.max(100, Math.floor(ceiling * random));
}

// How recurring jobs of the worker leave room for webhooks and runs: they work for some seconds, in batches, and rest in between.
import { setTimeout as pause } from 'node:timers/promises';

/** Shorter than a worker waits for its jobs when it is stopped. */
export const SLICE_MS = 4000;
const LEAST_REST_MS = 5;

/**
 * Rests for as long as a batch took, so that others have the process and the database for half of the time at least.
 * @param since when the batch began, by `performance.now()`
 */
export const restSince = (since: number): Promise<void> =>
  pause(Math.max(LEAST_REST_MS, performance.now() - since));

// Takes jobs from the queue and dispatches them while the process runs, also through outages of the database.
import type { Logger } from 'pino';
import { backoffMs } from '../backoff.ts';
import { isDatabaseUnavailable, retryWhileUnavailable } from '../db/database-unavailable.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { about } from '../log-fields.ts';
import type { Job, JobEnd, JobKind, JobTable, Lane } from './job-table.ts';

/** Finds jobs that are due without a notification: timers, and jobs whose notification was lost. */
const POLL_MS = 500;
/**
 * While jobs are being handled, looks for more are at least this long apart: one look then finds several, whose statements are shared. A
 * job that finds the process idle is taken at once.
 */
export const LOOKS_APART_MS = 10;
const UNAVAILABLE_RETRY_MS = 250;
const MAX_ENDS_PER_STATEMENT = 256;
/**
 * A statement that timed out may still lock jobs later, for example when its commit waits for a standby. For this time after
 * the last failure, this process searches for such jobs at this interval.
 */
const UNKNOWN_LOCKS = { forMs: 60_000, everyMs: 4000 };

/** Thrown by a job's handler when the job is fine but cannot be handled now. */
export class JobPostponed extends Error {
  override readonly name = 'JobPostponed';
  readonly delayMs: number;

  constructor(reason: string, delayMs: number) {
    super(reason);
    this.delayMs = delayMs;
  }
}

/** The result of a job: it is done, is repeated, or failed for a reason that its handler has logged and is retried. */
export type JobResult = void | { repeatAfterMs: number } | { failedBecause: string };

/** What executes the jobs of a kind. */
export interface JobHandler extends JobKind {
  handle: (job: Job) => Promise<JobResult>;
}

export interface JobConsumerOptions {
  table: JobTable;
  /** When it rejects, the job is retried. */
  handle: JobHandler['handle'];
  logger: Logger;
  lane: Pick<Lane, 'slots' | 'retries'>;
  /** How often to look for jobs that are due, without `wake`. */
  pollMs?: number;
}

export class JobConsumer {
  readonly #options: JobConsumerOptions;
  readonly #ends: GroupCommit<JobEnd, void>;
  /** Jobs that are locked for this process, as far as it knows. */
  readonly #held = new Set<string>();
  readonly #handling = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #busy = 0;
  #failedAtMs = -Infinity;
  /** When to look for jobs that are locked for this process without its knowledge. */
  #unlockAtMs = Infinity;
  #isWoken = false;
  #endPause: () => void = () => undefined;
  #lastJobAtMs: number | null = null;
  #behindSinceMs: number | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: JobConsumerOptions) {
    this.#options = options;
    this.#ends = new GroupCommit((ends) => this.#endJobs(ends), {
      maxBatch: MAX_ENDS_PER_STATEMENT,
      maxWeight: Infinity,
      weigh: () => 0,
      lanes: 1,
    });
  }

  /** Time since a job was last taken; null when none has been. */
  get msSinceLastJob(): number | null {
    return this.#lastJobAtMs === null ? null : performance.now() - this.#lastJobAtMs;
  }

  /** For how long more jobs have been due than this process could take; 0: it has all of them. */
  get msBehind(): number {
    return this.#behindSinceMs === null ? 0 : performance.now() - this.#behindSinceMs;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Polls immediately. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  /** Handles what is due, and ends: for processes that are no workers. @throws what the database throws */
  async workOff(): Promise<void> {
    const { table, lane } = this.#options;
    await table.unlockExcept([...this.#held]);
    const lanes = Array.from({ length: lane.slots }, async () => {
      for (let [job] = await table.take(1); job; [job] = await table.take(1)) await this.#start(job);
    });
    // Each is awaited: what one still handles must not look abandoned when another one fails.
    for (const each of await Promise.allSettled(lanes)) if (each.status === 'rejected') throw each.reason;
  }

  /** Takes no more jobs and waits for the current ones until the deadline; the rest is unlocked for other workers. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stop.abort();
    this.wake();
    const handled = this.#loop.then(() => Promise.all(this.#handling));
    await Promise.race([handled, pause(deadlineMs)]);
    await Promise.race([this.#options.table.unlockExcept([]).catch(() => undefined), pause(deadlineMs)]);
  }

  async #run(): Promise<void> {
    const { table, logger, lane, pollMs = POLL_MS } = this.#options;
    let lookedAtMs = -Infinity;
    while (!this.#stop.signal.aborted) {
      const earlyMs = lookedAtMs + LOOKS_APART_MS - performance.now();
      if (earlyMs > 0 && this.#busy > 0) await pause(earlyMs);
      this.#isWoken = false;
      const room = lane.slots - this.#busy;
      if (room === 0) {
        this.#behindSinceMs ??= performance.now();
        await this.#pause(pollMs);
        continue;
      }
      try {
        if (performance.now() >= this.#unlockAtMs) await this.#unlockUnknown();
        lookedAtMs = performance.now();
        const jobs = await table.take(room);
        for (const job of jobs) void this.#start(job);
        if (jobs.length === room) {
          this.#behindSinceMs ??= performance.now();
          continue;
        }
        this.#behindSinceMs = null;
        await this.#pause(pollMs);
      } catch (error) {
        this.#noteFailure();
        logger.warn({ err: error }, 'Could not read the queue, retrying');
        await pause(UNAVAILABLE_RETRY_MS);
      }
    }
  }

  #noteFailure(): void {
    this.#failedAtMs = performance.now();
    this.#unlockAtMs = this.#failedAtMs;
  }

  async #unlockUnknown(): Promise<void> {
    const startedAtMs = performance.now();
    await this.#options.table.unlockExcept([...this.#held]);
    const isOver = startedAtMs > this.#failedAtMs + UNKNOWN_LOCKS.forMs;
    this.#unlockAtMs = isOver ? Infinity : startedAtMs + UNKNOWN_LOCKS.everyMs;
  }

  #start(job: Job): Promise<void> {
    this.#lastJobAtMs = performance.now();
    this.#busy += 1;
    this.#held.add(job.id);
    const handling = this.#handle(job).finally(() => this.#handling.delete(handling));
    this.#handling.add(handling);
    return handling;
  }

  async #handle(job: Job): Promise<void> {
    let end: JobEnd = { id: job.id };
    try {
      const result = await this.#options.handle(job);
      if (result && 'repeatAfterMs' in result)
        end = { id: job.id, again: { delayMs: result.repeatAfterMs, failures: 0, reason: null } };
      if (result && 'failedBecause' in result) end = this.#retry(job, result.failedBecause);
    } catch (error) {
      end = this.#comesAgain(job, error);
    }
    this.#busy -= 1;
    this.wake();
    await this.#ends.add(end);
  }

  #retry({ id, failures }: Job, reason: string): JobEnd {
    const delayMs = backoffMs(failures, this.#options.lane.retries);
    return { id, again: { delayMs, failures: failures + 1, reason } };
  }

  #comesAgain(job: Job, error: unknown): JobEnd {
    const { id, failures } = job;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof JobPostponed) return { id, again: { delayMs: error.delayMs, failures, reason } };
    if (isDatabaseUnavailable(error))
      return { id, again: { delayMs: UNAVAILABLE_RETRY_MS, failures, reason } };
    this.#options.logger.error({ err: error, ...about({ jobId: id }) }, 'Job failed, retrying later');
    return this.#retry(job, reason);
  }

  /** Never throws: a job that could not be ended is unlocked at the next poll and taken again. */
  async #endJobs(ends: JobEnd[]): Promise<void[]> {
    const { table, logger } = this.#options;
    try {
      await retryWhileUnavailable(() => table.end(ends), this.#stop.signal);
    } catch (error) {
      this.#noteFailure();
      logger.error({ err: error }, 'Could not complete jobs, they will run again');
    }
    for (const { id } of ends) this.#held.delete(id);
    return ends.map(() => undefined);
  }

  /** Ends early on `wake`. */
  #pause(milliseconds: number): Promise<void> {
    if (this.#isWoken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());

// The runs that this worker holds in memory. Jobs bring runs; a job ends when its runs are done or, for slow ones, when a
// claim is recorded, so that slow tasks never block the queue's slots.
import type { Logger } from 'pino';
import type { Clock } from '#lib/core/clock.ts';
import { isDatabaseUnavailable, retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import { about } from '#lib/core/log-fields.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { JobPostponed } from '#lib/core/queue/job-consumer.ts';
import type { EngineDeps, RunStore } from '#lib/engine/engine-deps.ts';
import { type AdvanceOutcome, advanceRun } from '#lib/engine/run.ts';
import { RunState, type TakenRun } from '#lib/engine/run-state.ts';
import type { FindExecutor } from '#lib/engine/task-executor.ts';
import type { Claims } from './claims.ts';
import { HeldWaits } from './held-waits.ts';

/** How long a job stays locked before its remaining runs are claimed instead. */
const JOB_SLICE_MS = 250;
/** Delay before a run is retried that could not be advanced: its data could not be read, or it was still held. */
const RETRY_MS = 1000;

export interface RunHostOptions {
  store: RunStore;
  claims: Claims;
  findExecutor: FindExecutor;
  renderAnswer: EngineDeps['renderAnswer'];
  clock: Clock;
  logger: Logger;
  /**
   * Maximum number of runs advanced at once, and an eighth of it besides for those that overtake others; as many again are held in memory
   * during short waits.
   */
  maxRuns: number;
}

/** Part of the maximum that runs which overtake others may exceed it by. */
const OVERTAKING_SHARE = 8;

/** A run that is advanced here; `ended` resolves when it is released. */
interface HeldRun {
  run: TakenRun;
  ended: Promise<void>;
}

export class RunHost {
  readonly #options: RunHostOptions;
  readonly #active = new Map<string, Promise<void>>();
  readonly #claimed = new Map<string, TakenRun>();
  readonly #stop = new AbortController();
  readonly #waits: HeldWaits;
  /** Number of runs that are held here, by their workspace. */
  readonly #held = new Map<string, number>();
  #room: (() => void)[] = [];

  constructor(options: RunHostOptions) {
    this.#options = options;
    this.#waits = new HeldWaits({
      maxCount: options.maxRuns,
      stopping: this.#stop.signal,
      onHold: () => this.#makeRoom(),
    });
  }

  /** Number of runs that are held here, by their workspace. */
  get held(): ReadonlyMap<string, number> {
    return this.#held;
  }

  /** How many more runs that overtake others may be advanced here. */
  get roomToOvertake(): number {
    const { maxRuns } = this.#options;
    return maxRuns + Math.ceil(maxRuns / OVERTAKING_SHARE) - (this.#active.size - this.#waits.count);
  }

  /**
   * Takes the runs that are due and advances them; resolves when each is done or claimed.
   * @param areSignaled signals for them may have arrived
   * @param overtakes they have separate room besides that of all others
   */
  async advance(runIds: readonly string[], areSignaled = false, overtakes = false): Promise<void> {
    const hasRoom = (): boolean =>
      overtakes ? this.roomToOvertake > 0 : this.#active.size - this.#waits.count < this.#options.maxRuns;
    while (!hasRoom()) {
      await new Promise<void>((resolve) => this.#room.push(resolve));
    }
    if (this.#stop.signal.aborted)
      throw new JobPostponed('The worker is stopping: another one takes these runs.', 0);
    const held = runIds.filter((id) => this.#active.has(id));
    if (held.length > 0) await this.#settleOrPass(held);
    const free = runIds.filter((id) => !this.#active.has(id));
    const taken = await this.#take(free, areSignaled);
    await Promise.race([Promise.all(taken.map(({ ended }) => ended)), delay(JOB_SLICE_MS)]);
    await this.#claimSlow(taken);
    const takenIds = new Set(taken.map(({ run }) => run.id));
    // The former holder may not have checked for signals.
    const isUnseen = areSignaled && free.length < runIds.length;
    const isHeldHere = isUnseen || runIds.some((id) => this.#active.has(id) && !takenIds.has(id));
    const others = free.filter((id) => !takenIds.has(id));
    if (isHeldHere || (others.length > 0 && (await this.#options.store.areHeldUnclaimed(others))))
      throw new JobPostponed('A run of this job is still held: the job comes again.', RETRY_MS);
  }

  /**
   * Takes the runs that are due. They count as held immediately: otherwise a second job of the same run would take it again.
   */
  async #take(runIds: readonly string[], areSignaled: boolean): Promise<HeldRun[]> {
    const taking = this.#options.store.take(runIds, areSignaled);
    const taken = taking.then(
      () => undefined,
      () => undefined,
    );
    for (const id of runIds) this.#active.set(id, taken);
    try {
      return (await taking).map((run) => ({ run, ended: this.#hold(run) }));
    } finally {
      for (const id of runIds) if (this.#active.get(id) === taken) this.#active.delete(id);
      this.#makeRoom();
    }
  }

  async #settleOrPass(runIds: readonly string[]): Promise<void> {
    for (const id of runIds) this.#waits.wake(id);
    await Promise.race([
      Promise.all(runIds.map((id) => this.#active.get(id) ?? Promise.resolve())),
      delay(JOB_SLICE_MS),
    ]);
  }

  /** The claim of a run that ends before that is released after it was recorded: an earlier release would miss it. */
  async #claimSlow(taken: readonly HeldRun[]): Promise<void> {
    const isHeld = ({ run, ended }: HeldRun): boolean => this.#active.get(run.id) === ended;
    const slow = await this.#withTaken(taken.filter(isHeld));
    if (slow.length === 0) return;
    try {
      const runs = slow.map(({ run }) => run);
      await retryWhileUnavailable(() => this.#options.claims.claim(runs), this.#stop.signal);
    } finally {
      for (const { run } of slow)
        if ((this.#claimed.get(run.id)?.epoch ?? 0) < run.epoch) this.#claimed.set(run.id, run);
      await this.#release(slow.filter((each) => !isHeld(each)).map(({ run }) => run));
    }
  }

  /** Takes those that no write has taken yet; @returns the runs without those that another worker has taken */
  async #withTaken(held: readonly HeldRun[]): Promise<HeldRun[]> {
    const { store } = this.#options;
    const isOurs = await Promise.all(
      held.map(async ({ run }) => run.readAt === undefined || (await store.write(run, [], {}))),
    );
    return held.filter((_, index) => isOurs[index]);
  }

  /** Releases all runs at their next safe point; those that wait for an outside response have until the deadline. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stop.abort();
    await Promise.race([Promise.allSettled(this.#active.values()), delay(deadlineMs)]);
  }

  #count({ workspaceId }: TakenRun, more: 1 | -1): void {
    const count = (this.#held.get(workspaceId) ?? 0) + more;
    if (count > 0) this.#held.set(workspaceId, count);
    else this.#held.delete(workspaceId);
  }

  #hold(run: TakenRun): Promise<void> {
    this.#count(run, 1);
    const advancing = this.#followed(run)
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error, ...aboutRun(run) }, 'a run could not be advanced'),
      )
      .finally(() => {
        this.#active.delete(run.id);
        this.#count(run, -1);
        void this.#release([run]);
        this.#makeRoom();
      });
    this.#active.set(run.id, advancing);
    return advancing;
  }

  #makeRoom(): void {
    const waiting = this.#room;
    this.#room = [];
    for (const wake of waiting) wake();
  }

  async #release(runs: readonly TakenRun[]): Promise<void> {
    const ours = runs.filter((run) => this.#claimed.get(run.id) === run && this.#claimed.delete(run.id));
    if (ours.length === 0) return;
    const { claims } = this.#options;
    await retryWhileUnavailable(() => claims.release(ours), this.#stop.signal).catch(() => undefined);
  }

  async #followed(run: TakenRun): Promise<void> {
    const advance = { run, isFirstLeg: false };
    await telemetry.advance.within(advance, async () => {
      const outcome = await this.#advanceOne(run);
      telemetry.advanced.tell({ advance, outcome });
    });
  }

  /** @returns the outcome */
  async #advanceOne(run: TakenRun): Promise<AdvanceOutcome> {
    const { store, logger, clock, findExecutor, renderAnswer } = this.#options;
    try {
      const [state, draft] = await Promise.all([this.#loadState(run), store.loadDraftOptions(run)]);
      return await advanceRun(state, {
        store,
        draft,
        clock,
        findExecutor,
        renderAnswer,
        random: Math.random,
        stopping: this.#stop.signal,
        shortWaits: this.#waits,
        onUnexpectedError: (error, { taskId, iteration }) =>
          logger.error(
            { err: error, ...aboutRun(run), ...about({ taskId, iteration }) },
            'a task failed with an internal error',
          ),
      });
    } catch (error) {
      const now = clock.now().getTime();
      if (isDatabaseUnavailable(error)) {
        await store.write(run, [], { status: 'waiting', resumeAt: now + RETRY_MS });
        return 'waiting';
      }
      logger.error({ err: error, ...aboutRun(run) }, 'a run failed with an internal error');
      const failure = {
        code: 'internal',
        message: 'Internal error. The server log has the details.',
      };
      await store.write(run, [], {
        status: 'failed',
        error: failure,
        failure: { run, code: failure.code },
        finishedAt: now,
        waits: [],
      });
      return 'failed';
    }
  }

  async #loadState(run: TakenRun): Promise<RunState> {
    const { store } = this.#options;
    const graph = await store.loadGraph(run.workflowId, run.version);
    const isFirst = run.epoch === 1;
    const webhooks = await store.loadWebhooks(run, graph);
    const known = webhooks ? { ...run, event: { ...run.event, webhooks } } : run;
    return new RunState(known, graph, isFirst ? [] : await store.loadTaskRuns(run.id, graph));
  }
}

const aboutRun = ({ id, event }: TakenRun): ReturnType<typeof about> => about({ runId: id, event });

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());

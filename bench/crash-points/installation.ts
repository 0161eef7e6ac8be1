// The processes of one play, their restarts, and the time that passes while they are idle; all of them are simulated, so that
// `startProduct` cannot start them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessKind } from '#lib/core/db/connection-budget.ts';
import { ADVANCE_TASK } from '#lib/engine/store/advance-job.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import type { InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { ActingProcess, type Activity, type Rewrite } from './acting-process.ts';
import { Director } from './director.ts';
import { describeOpenWork, duplicateJobs, untilDisconnected } from './open-work.ts';
import { keepAlive, passTime } from './pass-time.ts';
import { type Lane, silent } from './lane.ts';
import type { Point, Strike, Struck } from './point.ts';
import { startActingWorker, startWeb, type Web } from './start-processes.ts';

/** Idle: the next operation waits for time to pass. */
const IDLE_MS = 25;
/** The same in looks: while other programs have the processor, time passes and nothing happens. */
const IDLE_LOOKS = 6;
/** Operations in progress wait for something else, such as a response to a call. */
const SILENT_MS = 400;
const LOOK_EVERY_MS = 3;
const PAUSE_MS = 10;
/** Number of idle rounds before a suspended process resumes although its runs have not ended. */
const PASSINGS_WHILE_STANDING = 4;
/** The same for one that is suspended for a moment, when its successor has not tried to take its runs. */
const PASSINGS_UNTRIED = 20;
/** The statement with which a successor tries to take runs. */
const TAKES_RUNS = 'take_runs';
/** Number of idle rounds before a play counts as stuck. */
const MOST_PASSINGS = 200;
/** The sweep of abandoned runs is due once a minute: after this many rounds another worker runs it. */
const PASSINGS_UNTIL_SWEEP = 25;
/** On a busy machine, too. */
const LONGEST_MS = 120_000;
const PASSING_SECONDS = 10;

/** A removed protection, to verify that plays find it. */
export interface Sabotage {
  /** It has to be found soon. */
  mostPassings?: number;
  rewrite?: Rewrite;
  change?: (executor: TaskExecutor) => TaskExecutor;
  endsWithFailure?: string;
}

/** A suspended process. */
interface Standing {
  process: ActingProcess;
  strike: Strike;
  /** Idle rounds; for a moment's pause they are counted from the start of its successor. */
  passings: number;
  /** Whether a successor has tried to take its runs; for one that stalls it does not matter. */
  isTried: boolean;
}

export class Installation {
  readonly lane: Lane;
  readonly director: Director;
  readonly violations: string[] = [];
  workflow!: InsertedWorkflow;
  protected web: Web | undefined;
  protected readonly workers = new Map<ActingProcess, { stop(): Promise<void> }>();
  readonly #sabotage: Sabotage;
  readonly #activity: Activity = { pending: 0, lastMs: performance.now() };
  readonly #processes: ActingProcess[] = [];
  #standing: Standing | undefined;
  #isOver = false;
  #wasWorkerLost = false;

  constructor(lane: Lane, struck: readonly Struck[], sabotage: Sabotage) {
    this.lane = lane;
    this.director = new Director(struck);
    this.#sabotage = sabotage;
  }

  /** Shortens all waits, and ages the heartbeats of crashed and suspended processes. */
  async passTime(seconds: number): Promise<void> {
    const gone = this.#processes
      .filter(
        (each) => each.isDead || (this.#standing?.strike === 'stalls' && this.#standing.process === each),
      )
      .flatMap(({ heartbeatId }) => heartbeatId ?? []);
    await passTime(this.lane.control, { seconds, workflowId: this.workflow.workflowId, gone });
  }

  /** Waits for a condition; time passes whenever the processes are idle. */
  async waitFor(isMet: () => boolean | Promise<boolean>, what = 'something'): Promise<void> {
    const deadline = performance.now() + LONGEST_MS;
    const mostPassings = this.#sabotage.mostPassings ?? MOST_PASSINGS;
    let passings = 0;
    const isIdle = this.#idleness(SILENT_MS);
    for (let lookedAtMs = -1; ;) {
      if (lookedAtMs !== this.#activity.lastMs && this.#isPausing()) {
        lookedAtMs = this.#activity.lastMs;
        if (await isMet()) return;
      }
      await sleep(LOOK_EVERY_MS);
      if (!isIdle() && performance.now() < deadline) continue;
      if (await isMet()) return;
      passings += 1;
      if (passings > mostPassings || performance.now() > deadline) {
        this.violations.push(
          `stuck: ${what} never came; ${await describeOpenWork(this.lane.control, this.workflow.workflowId, this.#activity)}`,
        );
        return;
      }
      if (passings === PASSINGS_UNTIL_SWEEP && this.#wasWorkerLost) this.launch('worker');
      await this.#whenIdle();
      this.#activity.lastMs = performance.now();
    }
  }

  /** Operations in progress, and acquisitions of connections. */
  get #pending(): number {
    return this.#processes.reduce((sum, { connecting }) => sum + connecting, this.#activity.pending);
  }

  /** Idle for a moment: worth querying the database whether everything is done. */
  #isPausing(): boolean {
    return this.#pending === 0 || performance.now() - this.#activity.lastMs > PAUSE_MS;
  }

  async #whenIdle(): Promise<void> {
    const standing = this.#standing;
    if (standing) {
      standing.passings += 1;
      const isLong = standing.passings > (standing.isTried ? PASSINGS_WHILE_STANDING : PASSINGS_UNTRIED);
      const hasSuccessor = this.workers.size > 0 || standing.process.kind === 'web';
      if (isLong && (hasSuccessor || standing.strike === 'stalls')) return this.#resumeStanding();
      if (standing.strike === 'pauses') return;
    }
    await this.passTime(PASSING_SECONDS);
  }

  /** Resumes a suspended process. @returns whether there was one */
  protected async resumeStanding(): Promise<boolean> {
    if (!this.#standing) return false;
    this.#resumeStanding();
    await sleep(IDLE_MS);
    return true;
  }

  #resumeStanding(): void {
    this.#standing?.process.resume();
    this.#standing = undefined;
    this.#activity.lastMs = performance.now();
  }

  protected launch(kind: ProcessKind): void {
    if (this.#isOver) return;
    const { lane, director } = this;
    const acting: ActingProcess = new ActingProcess({
      kind,
      // A process's state about the platform is stored per settings object, so that each process has its own.
      settings: { ...lane.settings },
      logger: silent,
      director,
      activity: this.#activity,
      onStrike: (strike) => this.#onStrike(acting, strike),
      onPass: (point) => this.#meetSuspended(acting, point),
      rewrite: this.#sabotage.rewrite,
      endsWithFailure: this.#sabotage.endsWithFailure,
    });
    this.#processes.push(acting);
    // Its launcher restarts one that cannot start.
    const restart = (): void => {
      acting.die();
      this.launch(kind);
    };
    if (kind === 'web') startWeb(acting, lane.workspaceId).then((web) => (this.web = web), restart);
    else
      startActingWorker(acting, this.#sabotage.change).then((worker) => {
        this.workers.set(acting, worker);
        if (this.#standing?.strike === 'pauses') this.#standing.passings = 0;
      }, restart);
  }

  #onStrike(acting: ActingProcess, strike: Strike): void {
    this.#activity.lastMs = performance.now();
    if (strike === 'breaks') return;
    this.workers.delete(acting);
    if (strike !== 'dies') {
      this.#standing = { process: acting, strike, passings: 0, isTried: strike === 'stalls' };
    }
    if (strike !== 'dies' && acting.kind === 'web') return;
    this.#wasWorkerLost ||= acting.kind === 'worker';
    const prepared = strike === 'pauses' ? this.duplicateJobs() : this.passTime(0);
    void prepared.then(() => this.launch(acting.kind));
  }

  /**
   * A process that stalls resumes in the middle of its successor's work: right before that calls a service. For one that is
   * suspended for a moment, no time passes until the statements of others.
   */
  #meetSuspended(acting: ActingProcess, { operation, effect, place }: Point): Promise<void> | undefined {
    const standing = this.#standing;
    if (!standing || standing.process === acting) return undefined;
    standing.isTried ||= operation === TAKES_RUNS && place === 'after';
    if (place !== 'before') return undefined;
    if (standing.strike === 'pauses') return this.#keepAlive(standing.process);
    if (effect !== 'calls') return undefined;
    this.#resumeStanding();
    return this.#untilIdle();
  }

  async #keepAlive({ heartbeatId }: ActingProcess): Promise<void> {
    this.#activity.pending += 1;
    await keepAlive(this.lane.control, heartbeatId).finally(() => {
      this.#activity.pending -= 1;
      this.#activity.lastMs = performance.now();
    });
  }

  async #untilIdle(): Promise<void> {
    const isIdle = this.#idleness(Infinity);
    do await sleep(LOOK_EVERY_MS);
    while (!isIdle());
  }

  /** @param silentMs the processes are also idle after this time with operations in progress @returns call it at each look */
  #idleness(silentMs: number): () => boolean {
    let looks = 0;
    let seenMs = -1;
    return () => {
      const { lastMs } = this.#activity;
      looks = lastMs === seenMs ? looks + 1 : 0;
      seenMs = lastMs;
      return looks >= IDLE_LOOKS && performance.now() - lastMs > (this.#pending === 0 ? IDLE_MS : silentMs);
    };
  }

  /** Adds a second job for open runs. */
  duplicateJobs(): Promise<void> {
    return duplicateJobs(this.lane.control, this.workflow.workflowId);
  }

  /** Kills the remaining processes, so that they do not affect the next play. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.director.end();
    for (const process of this.#processes) process.die();
    for (const process of this.#processes) void process.runtime.close().catch(() => undefined);
    await untilDisconnected(this.lane.control);
    await this.lane.control.query(`with gone as (delete from processes), claims as (delete from run_claims),
        failures as (delete from failed_runs)
      delete from graphile_worker._private_jobs
      where task_id = (select id from graphile_worker._private_tasks where identifier = '${ADVANCE_TASK}')`);
    await this.lane.postponeRepeatedJobs();
    this.lane.service.release();
  }
}

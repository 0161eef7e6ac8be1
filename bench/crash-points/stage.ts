// One play: the processes of an installation, who starts them again, the callers, and the time that passes when nothing happens.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ProcessKind } from '#lib/core/db/connection-budget.ts';
import { AppError } from '#lib/core/errors.ts';
import { ADVANCE_TASK } from '#lib/engine/store/advance-job.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import type { WebhookAnswer } from '#lib/webhooks/types.ts';
import { ActingProcess, type Activity, type Rewrite } from './acting-process.ts';
import { Director } from './director.ts';
import { describeOpenWork, duplicateJobs, isOver, untilDisconnected } from './open-work.ts';
import { keepAlive, passTime } from './pass-time.ts';
import { type Lane, silent } from './lane.ts';
import type { Point, Strike, Struck } from './point.ts';
import type { Scenario } from './scenario.ts';
import { startActingWorker, startWeb, type Web } from './start-processes.ts';

/** Nothing happens: whatever comes next waits for time to pass. */
const IDLE_MS = 25;
/** What is under way waits for something else to happen, such as a call that is not answered yet. */
const SILENT_MS = 400;
const LOOK_EVERY_MS = 3;
/** So often nothing happens before a process that stands still continues although its runs have not ended. */
const PASSINGS_WHILE_STANDING = 4;
/** So often nothing happens, and time passes, before a play counts as stuck. */
const MOST_PASSINGS = 200;
/** The sweep of strays comes once a minute: after so many passings a further worker makes it. */
const PASSINGS_UNTIL_SWEEP = 25;
/** However busy the machine is. */
const LONGEST_MS = 120_000;
const PASSING_SECONDS = 10;
const CALLER_TRIES = 6;

/** A protection that is taken out, to see that plays find it. */
export interface Sabotage {
  /** It is to be found soon. */
  mostPassings?: number;
  rewrite?: Rewrite;
  change?: (executor: TaskExecutor) => TaskExecutor;
  endsWithFailure?: string;
}

export interface Acknowledged {
  eventId: string;
  status: number;
}

export class Stage {
  readonly lane: Lane;
  readonly id: string;
  /** Whom messages go to in this play. */
  readonly recipient: string;
  readonly scenario: Scenario;
  readonly director: Director;
  readonly acknowledged: Acknowledged[] = [];
  readonly violations: string[] = [];
  /** What a scenario prepares for itself. */
  readonly prepared: Record<string, string> = {};
  workflow!: InsertedWorkflow;
  readonly #sabotage: Sabotage;
  readonly #activity: Activity = { pending: 0, lastMs: performance.now() };
  readonly #processes: ActingProcess[] = [];
  readonly #workers = new Map<ActingProcess, { stop(): Promise<void> }>();
  #web: Web | undefined;
  #standing: { process: ActingProcess; strike: Strike } | undefined;
  #passingsWhileStanding = 0;
  #isOver = false;
  #wasWorkerLost = false;
  #tries = 1;

  constructor(
    lane: Lane,
    id: string,
    scenario: Scenario,
    struck: readonly Struck[],
    sabotage: Sabotage = {},
  ) {
    this.lane = lane;
    this.id = `p${id}`;
    this.recipient = `15${id.padStart(9, '0')}`;
    this.scenario = scenario;
    this.director = new Director(struck);
    this.#sabotage = sabotage;
  }

  get url(): string {
    return this.lane.service.url;
  }

  get logger(): Logger {
    return silent;
  }

  /** Of the webhook that is posted next, or was just posted. */
  get currentMark(): string {
    return `${this.id}x${this.#tries}`;
  }

  async prepare(): Promise<void> {
    const { scenario, lane } = this;
    await scenario.prepare?.(this);
    const trigger = { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: scenario.trigger ?? {} };
    const tasks = [trigger, ...scenario.tasks(this)];
    const chain = tasks.slice(1).map(({ id }, index) => ({ from: tasks[index]?.id ?? 1, to: id }));
    const graph = { tasks, edges: scenario.edges ?? chain };
    this.workflow = await insertWorkflow(lane.control, graph, lane.workspaceId);
    this.#launch('web');
  }

  // --- what scenarios say ---

  /** A caller posts until it gets an answer that says that its webhook is stored. */
  async post(): Promise<WebhookAnswer | undefined> {
    for (let tries = 0; tries < CALLER_TRIES; tries += 1) {
      const body = { mark: this.currentMark, to: this.recipient, ...this.scenario.body?.(this) };
      this.#tries += 1;
      const answer = await this.#ask((web) => web.webhooks.receive(this.#request(body)));
      if (!answer || answer.status === 429 || answer.status === 503) continue;
      const eventId = answer.headers['X-Event-Id'] ?? '';
      this.acknowledged.push({ eventId, status: answer.status });
      return answer;
    }
    this.violations.push('no webhook was ever answered');
    return undefined;
  }

  #request(body: object) {
    const bytes = Buffer.from(JSON.stringify(body));
    return {
      kind: 'production' as const,
      token: this.workflow.token,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      declaredBytes: bytes.byteLength,
      readBody: async (collect: (chunk: Uint8Array) => boolean) => {
        collect(bytes);
        return true;
      },
    };
  }

  startWorker(): void {
    this.#launch('worker');
  }

  /** Asks every worker to stop, as a launcher does, and waits until it has; then the next one starts. */
  async stopWorkers(): Promise<void> {
    await this.waitFor(() => this.#workers.size > 0);
    for (const [acting, worker] of this.#workers) {
      this.#workers.delete(acting);
      let hasStopped = false;
      void acting
        .run(() => worker.stop())
        .then(
          () => (hasStopped = true),
          () => (hasStopped = true),
        );
      await this.waitFor(() => hasStopped || acting.isDead);
      acting.die();
    }
  }

  /** A user does something in a web process, once more where no answer came; what was done already is fine. */
  async act(verb: (ctx: MessagingActorContext) => Promise<unknown>): Promise<void> {
    for (let tries = 0; tries < CALLER_TRIES; tries += 1) {
      const outcome = await this.#ask((web) =>
        verb(web.ctx).then(
          () => 'done',
          (error: unknown) => (error instanceof AppError ? 'refused' : undefined),
        ),
      );
      if (outcome !== undefined) return;
    }
    this.violations.push('what a user did was never answered');
  }

  /** @returns what a web process answers; undefined when it died meanwhile */
  async #ask<Answer>(question: (web: Web) => Promise<Answer>): Promise<Answer | undefined> {
    await this.waitFor(() => this.#web !== undefined && !this.#web.process.isDead);
    const web = this.#web;
    if (!web) return undefined;
    const outcome: { isKnown: boolean; answer?: Answer | undefined } = { isKnown: false };
    void Promise.race([web.process.run(() => question(web)), web.process.death.then(() => undefined)])
      .then((answer) => (outcome.answer = answer))
      .catch(() => undefined)
      .finally(() => (outcome.isKnown = true));
    await this.waitFor(() => outcome.isKnown, 'the answer of a web process');
    return outcome.answer;
  }

  /** Whether a worker has claimed a run that takes long. */
  async isClaimed(): Promise<boolean> {
    return (await this.lane.control.query('select from run_claims')).rowCount !== 0;
  }

  /** Whether nothing of the workflow is left to do. @param mayWait what waits for longer than a minute does not count */
  isOver(mayWait = false): Promise<boolean> {
    return isOver(this.lane.control, this.workflow.workflowId, mayWait);
  }

  /** The jobs that come again and again are there, once each, for later. */
  async assertRepeatedJobs(): Promise<void> {
    const { rows } = await this.lane.control.query(
      `select from graphile_worker._private_jobs where locked_at is null and run_at > now() and run_at < now() + interval '1 month'`,
    );
    if (rows.length !== 2) this.violations.push(`${rows.length} repeated jobs are left instead of 2`);
  }

  /** Until nothing of the workflow is left to do, or only what waits for longer than a minute. */
  async until(goal: 'over' | 'waiting'): Promise<void> {
    const isReached = (): Promise<boolean> => this.isOver(goal === 'waiting');
    await this.waitFor(isReached, goal);
    if (!this.#standing) return;
    this.#resumeStanding();
    await sleep(IDLE_MS);
    await this.waitFor(isReached, goal);
  }

  /** The ids of the workflow's runs, oldest first. */
  async runIds(): Promise<string[]> {
    const { rows } = await this.lane.control.query<{ id: string }>(
      'select id from runs where workflow_id = $1 order by created_at, id',
      [this.workflow.workflowId],
    );
    return rows.map(({ id }) => id);
  }

  // --- time ---

  /** Lets everything wait by so much less, also the heartbeats of processes that are dead or stand still. */
  async passTime(seconds: number): Promise<void> {
    const gone = this.#processes
      .filter(
        (each) => each.isDead || (this.#standing?.strike === 'stalls' && this.#standing.process === each),
      )
      .flatMap(({ heartbeatId }) => heartbeatId ?? []);
    await passTime(this.lane.control, { seconds, workflowId: this.workflow.workflowId, gone });
  }

  /** Waits for a condition; whenever nothing happens, time passes. */
  async waitFor(isMet: () => boolean | Promise<boolean>, what = 'something'): Promise<void> {
    const deadline = performance.now() + LONGEST_MS;
    const mostPassings = this.#sabotage.mostPassings ?? MOST_PASSINGS;
    let passings = 0;
    for (let lookedAtMs = -1; ;) {
      if (lookedAtMs !== this.#activity.lastMs) {
        lookedAtMs = this.#activity.lastMs;
        if (await isMet()) return;
      }
      await sleep(LOOK_EVERY_MS);
      const { pending, lastMs } = this.#activity;
      const isIdle = performance.now() - lastMs > (pending === 0 ? IDLE_MS : SILENT_MS);
      if (!isIdle && performance.now() < deadline) continue;
      if (await isMet()) return;
      passings += 1;
      if (passings > mostPassings || performance.now() > deadline) {
        this.violations.push(
          `stuck: ${what} never came; ${await describeOpenWork(this.lane.control, this.workflow.workflowId, this.#activity)}`,
        );
        return;
      }
      if (passings === PASSINGS_UNTIL_SWEEP && this.#wasWorkerLost) this.#launch('worker');
      await this.#whenIdle();
      this.#activity.lastMs = performance.now();
    }
  }

  async #whenIdle(): Promise<void> {
    const standing = this.#standing;
    if (standing) {
      this.#passingsWhileStanding += 1;
      const isLong = this.#passingsWhileStanding > PASSINGS_WHILE_STANDING;
      const hasSuccessor = this.#workers.size > 0 || standing.process.kind === 'web';
      if (isLong && (hasSuccessor || standing.strike === 'stalls')) return this.#resumeStanding();
      if (standing.strike === 'pauses') return keepAlive(this.lane.control, standing.process.heartbeatId);
    }
    await this.passTime(PASSING_SECONDS);
  }

  #resumeStanding(): void {
    this.#standing?.process.resume();
    this.#standing = undefined;
    this.#activity.lastMs = performance.now();
  }

  // --- processes ---

  #launch(kind: ProcessKind): void {
    if (this.#isOver) return;
    const { lane, director } = this;
    const acting: ActingProcess = new ActingProcess({
      kind,
      settings: lane.settings,
      logger: silent,
      director,
      activity: this.#activity,
      onStrike: (strike) => this.#onStrike(acting, strike),
      onPass: (point) => this.#meetStalled(acting, point),
      rewrite: this.#sabotage.rewrite,
      endsWithFailure: this.#sabotage.endsWithFailure,
    });
    this.#processes.push(acting);
    // One that cannot start is started again by its launcher.
    const restart = (): void => {
      acting.die();
      this.#launch(kind);
    };
    if (kind === 'web') startWeb(acting, lane.workspaceId).then((web) => (this.#web = web), restart);
    else
      startActingWorker(acting, this.#sabotage.change).then(
        (worker) => this.#workers.set(acting, worker),
        restart,
      );
  }

  #onStrike(acting: ActingProcess, strike: Strike): void {
    this.#activity.lastMs = performance.now();
    if (strike === 'breaks') return;
    this.#workers.delete(acting);
    if (strike !== 'dies') {
      this.#standing = { process: acting, strike };
      this.#passingsWhileStanding = 0;
    }
    if (strike !== 'dies' && acting.kind === 'web') return;
    this.#wasWorkerLost ||= acting.kind === 'worker';
    const prepared = strike === 'pauses' ? this.duplicateJobs() : this.passTime(0);
    void prepared.then(() => this.#launch(acting.kind));
  }

  /** A process that stood still continues in the middle of what its successor does: right before that calls somebody. */
  #meetStalled(acting: ActingProcess, { effect, place }: Point): Promise<void> | undefined {
    const standing = this.#standing;
    if (!standing || standing.strike !== 'stalls' || standing.process === acting) return undefined;
    if (effect !== 'calls' || place !== 'before') return undefined;
    this.#resumeStanding();
    return this.#untilIdle();
  }

  async #untilIdle(): Promise<void> {
    const { lastMs } = this.#activity;
    while (
      this.#activity.pending > 0 ||
      performance.now() - Math.max(lastMs, this.#activity.lastMs) < IDLE_MS
    )
      await sleep(LOOK_EVERY_MS);
  }

  /** Adds a second job for what has not ended. */
  duplicateJobs(): Promise<void> {
    return duplicateJobs(this.lane.control, this.workflow.workflowId);
  }

  /** Kills what is left, so that nothing of it reaches the next play. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.director.end();
    for (const process of this.#processes) process.die();
    for (const process of this.#processes) void process.runtime.close().catch(() => undefined);
    await untilDisconnected(this.lane.control);
    await this.lane.control.query(`with gone as (delete from processes), claims as (delete from run_claims)
      delete from graphile_worker._private_jobs
      where task_id = (select id from graphile_worker._private_tasks where identifier = '${ADVANCE_TASK}')`);
    await this.lane.postponeRepeatedJobs();
    this.lane.service.release();
  }
}

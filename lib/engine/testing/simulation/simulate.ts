// One simulation: the real intake, store, queue consumer, run host and heartbeat of several processes on a simulated database,
// under the faults of a schedule. The invariants are checked by invariants.ts.
import { pino } from 'pino';
import { ProcessClock, systemClock } from '#lib/core/clock.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { createFirstLegs } from '#lib/engine/first-leg.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import type { TakenRun } from '#lib/engine/run-state.ts';
import { deliverSignals, type Signal } from '#lib/engine/store/deliver-signals.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { toLine } from '#lib/engine/store/run-lines.ts';
import { newId } from '#lib/core/ids.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { type Aim, type Executed, SimulatedDatabase } from './database.ts';
import { findViolations, watchTaskRuns } from './invariants.ts';
import { Random } from '#lib/testing/random.ts';
import { type Fault, faultsEndMs, type Schedule } from './schedule.ts';
import type { Model, ModelKind } from './model.ts';
import type { Sabotage } from './moment.ts';
import type { Tables, WorkflowRow } from './tables.ts';
import { ASK, createExecutors, type OnAsked, Platform, STEP } from './tasks.ts';
import { installWorldGlobals, SimulatedProcess, World } from './world.ts';
import { makeWorkflow } from './workflows.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';

/** Long enough for all waits, retries and recurring jobs after the last fault. */
const PATIENCE_MS = 600_000;
/** Where runs are executed one after another, it takes longer. */
const PATIENCE_AT_GATES_MS = 2_000_000;
const MAX_EVENTS = 300_000;
const PATIENT_CALLER_TRIES = 3;
const WORKSPACE_ID = newId();
/** Of workflows that wait for no signal, so that runs overtake those of another workspace. */
const OTHER_WORKSPACE_ID = newId();

export interface SimulationResult {
  violations: string[];
  tables: Tables;
  platform: Platform;
  graphs: ReadonlyMap<string, WorkflowGraph>;
  /** Runs that were acknowledged to their callers. */
  acknowledged: ReadonlySet<string>;
  /** Acknowledged runs whose first leg was written with their webhook. */
  legs: number;
  events: number;
  statements: number;
  executed: Executed[];
}

export interface SimulationOptions {
  /** One of the engine's, or of the model's. */
  sabotage?: Sabotage | (string & {});
  /** Left out: the engine's own random workflows. */
  model?: ModelKind | undefined;
  /** A disturbance besides the schedule's, which finds a rare defect in few schedules. */
  aim?: Aim;
  keepsExecuted?: boolean;
}

interface Worker {
  process: SimulatedProcess;
  stop?: () => Promise<void>;
}

const logger = pino({ level: 'silent' });
const renderAnswer = () => ({ status: 200, contentType: 'text/plain', body: '' });

export async function simulate(
  schedule: Schedule,
  options: SimulationOptions = {},
): Promise<SimulationResult> {
  const restore = installWorldGlobals();
  try {
    return await new Simulation(schedule, options).play();
  } finally {
    restore();
  }
}

class Simulation {
  readonly #schedule: Schedule;
  readonly #world: World;
  readonly #network = { breaks: 0, isAway: false };
  readonly #database: SimulatedDatabase;
  readonly #platform = new Platform();
  readonly #graphs = new Map<string, WorkflowGraph>();
  readonly #tokens: Buffer[] = [];
  readonly #acknowledged = new Set<string>();
  readonly #violations: string[] = [];
  #legs = 0;
  #answers = 0;
  readonly #sender: SimulatedProcess;
  readonly #senderPool: Pool;
  readonly #workers: Worker[] = [];
  readonly #model: Model | undefined;
  #arrivalsLeft: number;

  constructor(schedule: Schedule, { sabotage, aim, keepsExecuted, model }: SimulationOptions) {
    this.#schedule = schedule;
    // Faults can be left out of a schedule without changing the workflows of its seed.
    this.#world = new World(new Random(~schedule.seed));
    this.#arrivalsLeft = schedule.arrivals.length;
    const watch = watchTaskRuns(this.#violations);
    this.#database = new SimulatedDatabase({
      world: this.#world,
      network: this.#network,
      sabotage,
      aim,
      keepsExecuted,
      model,
      onTaskRun: (runId, before, after) => {
        watch(runId, before, after);
        this.#model?.onTaskRun(runId, after);
      },
    });
    this.#model = model?.create({
      schedule,
      world: this.#world,
      workspaceId: WORKSPACE_ID,
      openPool: (owner) => this.#database.openPool(owner),
      tables: this.#database.tables,
      platform: this.#platform,
    });
    this.#sender = new SimulatedProcess('sender', this.#world);
    this.#senderPool = this.#database.openPool(this.#sender);
    const random = new Random(schedule.seed * 31 + 7);
    for (let number = 0; number < schedule.workflows; number += 1)
      this.#addWorkflow(this.#model?.makeWorkflow(random, number) ?? makeWorkflow(random));
  }

  #addWorkflow(graph: WorkflowGraph): void {
    const id = newId();
    const number = this.#tokens.length;
    const asks = graph.tasks.some(({ type }) => type === ASK);
    const gate = this.#schedule.gates.find(({ workflow }) => workflow === number);
    const token = Buffer.from(`token ${number}`);
    this.#tokens.push(token);
    this.#graphs.set(id, graph);
    this.#database.tables.workflows.set(token.toString('hex'), {
      id,
      workspace_id: asks || this.#model ? WORKSPACE_ID : OTHER_WORKSPACE_ID,
      published_version: 1,
      trigger_task_id: 1,
      answers_after_run: this.#tokens.length % 2 === 0,
      max_concurrent_runs: gate?.most ?? null,
      holds_runs: false,
      graph: JSON.stringify(graph),
    });
  }

  async play(): Promise<SimulationResult> {
    const world = this.#world;
    for (let index = 0; index < this.#schedule.workers; index += 1) this.#startWorker(index);
    this.#receiveWebhooks();
    this.#model?.start();
    for (const [index, { key, atMs }] of this.#schedule.signals.entries())
      for (const at of atMs) this.#world.schedule(at, undefined, () => this.#send(key, `signal ${index}`));
    for (const fault of this.#schedule.faults)
      world.schedule(fault.atMs, undefined, () => this.#cause(fault));
    for (const { workflow, holds } of this.#schedule.gates)
      for (const { atMs, forMs } of holds) {
        const { id } = this.#workflowOf(this.#tokens[workflow] as Buffer);
        world.schedule(atMs, undefined, () => this.#database.setHold(id, true));
        world.schedule(atMs + forMs, undefined, () => this.#database.setHold(id, false));
      }
    const { workspace_id } = this.#workflowOf(this.#tokens[0] as Buffer);
    for (const { atMs, most } of this.#schedule.limits)
      world.schedule(atMs, undefined, () => this.#database.setLimit(workspace_id, most));
    const faultsEnd = faultsEndMs(this.#schedule);
    const hasGates = this.#schedule.gates.length + this.#schedule.limits.length > 0;
    const events = await world.runUntil(() => world.elapsedMs > faultsEnd && this.#isOver(), {
      untilMs: faultsEnd + (hasGates ? PATIENCE_AT_GATES_MS : PATIENCE_MS),
      maxEvents: MAX_EVENTS,
    });
    for (const { process } of this.#workers) process.isDead = true;
    const { tables, statements, executed = [] } = this.#database;
    const result = {
      violations: this.#violations,
      tables,
      platform: this.#platform,
      graphs: this.#graphs,
      acknowledged: this.#acknowledged,
      legs: this.#legs,
      events,
      statements,
      executed,
    };
    this.#violations.push(
      ...(await findViolations(result, this.#schedule, this.#model === undefined)),
      ...(this.#model?.findViolations() ?? []),
    );
    return result;
  }

  #isOver(): boolean {
    if (this.#arrivalsLeft > 0 || this.#model?.isOver() === false) return false;
    for (const { status } of this.#database.tables.runs.values())
      if (status !== 'succeeded' && status !== 'failed') return false;
    return true;
  }

  #startWorker(index: number): void {
    const process = new SimulatedProcess(`worker ${index}`, this.#world);
    const pool = this.#database.openPool(process);
    const started: Worker = { process };
    const own = createExecutors(this.#platform, true, (asked) => this.#answerLater(asked));
    const ofModel = this.#model?.createExecutors(pool);
    this.#workers[index] = started;
    this.#world.schedule(0, process, () => {
      startWorker({
        pools: { engine: pool, vital: pool },
        clock: new ProcessClock(),
        findExecutor: (type) => ofModel?.(type) ?? own(type),
        renderAnswer,
        logger,
        maxRuns: this.#schedule.maxRuns,
        recurring: NOTHING_RECURS,
      }).then(
        (running) => (started.stop = () => running.stop()),
        // Its launcher restarts a process that cannot start.
        () => this.#replaceWorker(index, started, 1000),
      );
    });
  }

  #replaceWorker(index: number, old: { process: SimulatedProcess }, delayMs: number): void {
    old.process.isDead = true;
    this.#world.schedule(delayMs, undefined, () => {
      if (this.#workers[index] === old) this.#startWorker(index);
    });
  }

  #cause(fault: Fault): void {
    const world = this.#world;
    if (fault.kind === 'outage') {
      this.#network.isAway = true;
      world.schedule(fault.forMs, undefined, () => (this.#network.isAway = false));
      return;
    }
    if (fault.kind === 'breaks') {
      this.#network.breaks = fault.probability;
      world.schedule(fault.forMs, undefined, () => (this.#network.breaks = 0));
      return;
    }
    if (fault.kind === 'duplicate') return this.#database.addJobForAllRuns();
    const worker = this.#workers[fault.worker];
    if (!worker || worker.process.isDead) return;
    const { process } = worker;
    switch (fault.kind) {
      case 'kill':
        return this.#replaceWorker(fault.worker, worker, fault.restartMs);
      case 'stop':
        return world.enter(process, () => {
          const end = (): void => {
            if (!process.isDead) this.#replaceWorker(fault.worker, worker, fault.restartMs);
          };
          // One that has not started yet has nothing to release.
          if (worker.stop) void worker.stop().finally(end);
          else end();
        });
      case 'stall':
        process.stalledUntilMs = world.elapsedMs + fault.forMs;
        return;
      case 'clock':
        process.clockOffsetMs = fault.byMs;
        world.schedule(fault.forMs, undefined, () => (process.clockOffsetMs = 0));
    }
  }

  /** Responses arrive once or twice. */
  #answerLater({ key, taskRun, afterMs }: Parameters<OnAsked>[0]): void {
    const { random } = this.#world;
    const id = `answer ${(this.#answers += 1)}`;
    const delays = random.chance(0.3) ? [afterMs, afterMs + random.between(0, 2000)] : [afterMs];
    for (const delayMs of delays)
      this.#world.schedule(delayMs, undefined, () => this.#send(key, id, taskRun));
  }

  /** Like the platform, until it gets the acknowledgement. */
  #send(key: string, id: string, taskRun: Signal['taskRun'] = null): void {
    const signal = { workspaceId: WORKSPACE_ID, keys: [key], id, payload: JSON.stringify(id), taskRun };
    this.#world.enter(this.#sender, () => {
      const send = (): void => {
        deliverSignals(this.#senderPool, [signal]).catch(() => setTimeout(send, 300));
      };
      send();
    });
  }

  #workflowOf(tokenHash: Buffer): WorkflowRow {
    const found = this.#database.tables.workflows.get(tokenHash.toString('hex'));
    if (!found) throw new Error('There is no such workflow.');
    return found;
  }

  #toRun(id: string, tokenHash: Buffer): TakenRun {
    const { id: workflowId, workspace_id, answers_after_run } = this.#workflowOf(tokenHash);
    const event = { id: 'event', isReplay: false, body: {}, headers: {} };
    const run = { id, epoch: 1, workspaceId: workspace_id, workflowId, version: 1, event };
    return { ...run, awaitsAnswer: answers_after_run };
  }

  #receiveWebhooks(): void {
    const web = new SimulatedProcess('web', this.#world);
    const pool = this.#database.openPool(web);
    const intake = createIntake(pool);
    const executeLeg = createFirstLegs({
      findExecutor: createExecutors(this.#platform, true),
      isInstant: ({ type }) => type === STEP,
      clock: systemClock,
      renderAnswer,
      onUnexpectedError: (error) => {
        throw error;
      },
    });
    const receive = async (tokenHash: Buffer, value: string | undefined): Promise<void> => {
      const line = value === undefined ? undefined : toLine(this.#workflowOf(tokenHash).id, value);
      for (let tries = 0; tries < PATIENT_CALLER_TRIES; tries += 1) {
        const runId = newId();
        const received = { receivedAt: new Date(), headers: {}, body: Buffer.from('{}'), refusal: null };
        const ids = { eventId: newId(), runId, tokenHash, kind: 'production' as const };
        try {
          const leg = this.#schedule.executesLegs
            ? executeLeg(
                this.#toRun(runId, tokenHash),
                await loadGraph(pool, this.#workflowOf(tokenHash).id, 1),
              )
            : undefined;
          const response = { version: 1, problem: null, leg };
          const admission = await intake({ ...ids, ...received, line, response });
          this.#acknowledged.add(runId);
          if (leg && admission?.outcome === 'triggered' && !admission.waitsForTurn) this.#legs += 1;
          return;
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
      }
    };
    for (const { atMs, workflow, value } of this.#schedule.arrivals) {
      this.#world.schedule(atMs, web, () => {
        void receive(this.#tokens[workflow] as Buffer, value).finally(() => (this.#arrivalsLeft -= 1));
      });
    }
  }
}

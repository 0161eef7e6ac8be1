// Advances one run: executes the steps that are due, writes checkpoints around side effects, and continues until the run ends
// or waits. Control flow (waiting, losing the run to another worker) is separate from errors.
import type { EngineDeps, RunChange } from './engine-deps.ts';
import type { GraphNode } from './graph.ts';
import type { RunState } from './run-state.ts';
import { RunSteps } from './run-steps.ts';
import type { TaskRun } from './run-types.ts';

/** Unwritten task runs that trigger a write before the end of the run. */
const CHECKPOINT_SIZE = 1000;
/** Steps after which other runs have their turn. */
const STEPS_PER_TURN = 500;

/** Outcome of an advance; `lost`: another worker has taken the run, and nothing was written. */
export type AdvanceOutcome = 'succeeded' | 'failed' | 'waiting' | 'lost' | 'stopped';

export async function advanceRun(state: RunState, deps: EngineDeps): Promise<AdvanceOutcome> {
  return new RunAdvance(state, deps).advance();
}

class RunAdvance {
  readonly #state: RunState;
  readonly #deps: EngineDeps;
  readonly #run: RunSteps;
  #lost = false;
  #steps = 0;

  constructor(state: RunState, deps: EngineDeps) {
    this.#state = state;
    this.#deps = deps;
    this.#run = new RunSteps(state, {
      ...deps,
      checkpoint: () => this.#write({}),
      loadSignals: (waitId) => deps.store.loadSignals(waitId),
    });
  }

  async advance(): Promise<AdvanceOutcome> {
    const { tasks } = this.#run;
    this.#settleInterrupted();
    for (;;) {
      if (this.#lost) return this.#leave('lost');
      if (this.#deps.stopping.aborted) return this.#leave('stopped');
      const plan = this.#run.plan();
      if (plan.status === 'waiting' && (await this.#waitHere(plan.resumeAt))) continue;
      if (plan.status !== 'active') {
        const change = this.#run.pause(plan);
        return (await this.#write(change)) ? change.status : 'lost';
      }
      for (const step of plan.steps) this.#run.apply(step);
      this.#steps += plan.steps.length;
      if (this.#run.hasAnswer && plan.steps.length === 0) await this.#write({});
      else if (plan.steps.length === 0) await tasks.untilOneEnds();
      else if (this.#state.dirty.size > CHECKPOINT_SIZE) await this.#write({});
      else if (this.#steps > STEPS_PER_TURN) await this.#yieldTurn();
    }
  }

  async #yieldTurn(): Promise<void> {
    this.#steps = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * Waits in memory where the wait is short. It is recorded, so that a worker that takes over the run waits for the rest. A
   * run that a signal may arrive for is released: the worker that takes it next reads its signals.
   * @returns whether it waited
   */
  async #waitHere(resumeAt: number): Promise<boolean> {
    const { shortWaits } = this.#deps;
    if (!shortWaits?.mayHold(resumeAt - this.#run.now()) || this.#state.awaitsSignal) return false;
    if (await this.#write({})) await shortWaits.hold(this.#state.run.id, resumeAt - this.#run.now());
    return true;
  }

  /** Waits for current executions, so that none is in progress when another worker takes the run. */
  async #leave(outcome: 'lost' | 'stopped'): Promise<AdvanceOutcome> {
    await Promise.allSettled(this.#run.tasks.underWay);
    if (outcome === 'stopped') await this.#write({ status: 'waiting', resumeAt: this.#run.now() });
    return outcome;
  }

  #settleInterrupted(): void {
    for (const taskRun of this.#state.all()) {
      if (taskRun.status !== 'running' || taskRun.loop) continue;
      this.#run.tasks.settleInterrupted(this.#nodeOf(taskRun), taskRun);
    }
  }

  #nodeOf(taskRun: TaskRun): GraphNode {
    const node = this.#state.graph.nodes.get(taskRun.taskId);
    if (!node) throw new Error(`Task ${taskRun.taskId} is not in this version.`);
    return node;
  }

  async #write(change: RunChange): Promise<boolean> {
    const waits = this.#state.listWaits();
    if (waits) change.waits = waits;
    // Task runs change until the statement is built. They and their waits have to be recorded as of the same moment, and a loop
    // as of now: an item must not be recorded as ended before the task runs that ended in it since.
    const { dirty } = this.#state;
    const rows = Array.from(dirty, (taskRun) =>
      taskRun.loop ? { ...taskRun, loop: { ...taskRun.loop } } : waits ? { ...taskRun } : taskRun,
    );
    dirty.clear();
    const answer = this.#run.takeAnswer();
    if (answer) change.answer = answer;
    const owned = await this.#deps.store.write(this.#state.run, rows, change);
    if (!owned) this.#lost = true;
    return owned;
  }
}

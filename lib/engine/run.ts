// Advances one run: executes what the plan says is due, checkpoints around side effects, and continues until the
// run is finished or waits. Control flow (waiting, losing the run to another worker) is kept apart from errors.
import type { EngineDeps } from './engine-deps.ts';
import type { GraphNode } from './graph.ts';
import { type Plan, planRun, type Step } from './plan.ts';
import type { RunState } from './run-state.ts';
import type { RunError, TaskRun } from './run-types.ts';
import type { RunAnswer, RunChange } from './store-types.ts';
import { TaskExecution } from './task-execution.ts';
import { cancelOpen, endItem, endWait, passBy } from './transitions.ts';

/** Beyond it a run is a mistake in the workflow. Its memory does not grow with them (npm run bench:loops), its rows do. */
const MAX_TASK_RUNS = 1_000_000;
/** Unwritten task runs that are written without waiting for the end of the run. */
const CHECKPOINT_SIZE = 1000;
/** Steps after which other runs get their turn. */
const STEPS_PER_TURN = 500;

/** How an advance ended; `lost`: another worker has taken the run, which wrote nothing of ours. */
export type AdvanceOutcome = 'succeeded' | 'failed' | 'waiting' | 'lost' | 'stopped';

export async function advanceRun(state: RunState, deps: EngineDeps): Promise<AdvanceOutcome> {
  return new RunAdvance(state, deps).advance();
}

class RunAdvance {
  readonly #state: RunState;
  readonly #deps: EngineDeps;
  readonly #tasks: TaskExecution;
  readonly #branchAfterFailure = (type: string) => this.#deps.findExecutor(type)?.branchAfterFailure;
  #lost = false;
  #answer: RunAnswer | undefined;
  #steps = 0;

  constructor(state: RunState, deps: EngineDeps) {
    this.#state = state;
    this.#deps = deps;
    const checkpoint = (): Promise<boolean> => this.#write({});
    this.#tasks = new TaskExecution(state, { ...deps, checkpoint, onWait: () => this.#answerNow(false) });
  }

  async advance(): Promise<AdvanceOutcome> {
    this.#settleInterrupted();
    for (;;) {
      if (this.#lost) return this.#leave('lost');
      if (this.#deps.stopping.aborted) return this.#leave('stopped');
      if (this.#state.size > MAX_TASK_RUNS) return this.#finish({ status: 'failed', failure: undefined });
      const plan = planRun(this.#state.graph, this.#state.find, this.#now(), this.#branchAfterFailure);
      if (plan.status === 'waiting' && (await this.#waitHere(plan.resumeAt))) continue;
      if (plan.status !== 'active') return this.#finish(plan);
      for (const step of plan.steps) this.#apply(step);
      this.#steps += plan.steps.length;
      if (this.#answer && plan.steps.length === 0) await this.#write({});
      else if (plan.steps.length === 0) await Promise.race(this.#tasks.underWay);
      else if (this.#state.dirty.size > CHECKPOINT_SIZE) await this.#write({});
      else if (this.#steps > STEPS_PER_TURN) await this.#yieldTurn();
    }
  }

  async #yieldTurn(): Promise<void> {
    this.#steps = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * Waits in memory where that is short. The wait is on record, so that whoever takes the run over when this process dies
   * waits for what is left of it.
   * @returns whether it did.
   */
  async #waitHere(resumeAt: number): Promise<boolean> {
    const { shortWaits } = this.#deps;
    if (!shortWaits?.mayHold(resumeAt - this.#now())) return false;
    if (await this.#write({})) await shortWaits.hold(this.#state.run.id, resumeAt - this.#now());
    return true;
  }

  /** Waits for what is under way, so that nothing of this run is executing when somebody else takes it. */
  async #leave(outcome: 'lost' | 'stopped'): Promise<AdvanceOutcome> {
    await Promise.allSettled(this.#tasks.underWay);
    if (outcome === 'stopped') await this.#write({ status: 'waiting', resumeAt: this.#now() });
    return outcome;
  }

  #settleInterrupted(): void {
    for (const taskRun of this.#state.all()) {
      if (taskRun.status !== 'running' || taskRun.loop) continue;
      this.#tasks.settleInterrupted(this.#nodeOf(taskRun), taskRun);
    }
  }

  #nodeOf(taskRun: TaskRun): GraphNode {
    const node = this.#state.graph.nodes.get(taskRun.taskId);
    if (!node) throw new Error(`Task ${taskRun.taskId} is not in this version.`);
    return node;
  }

  #apply(step: Step): void {
    const now = this.#now();
    switch (step.kind) {
      case 'skip':
      case 'pass_over':
        return passBy(this.#state, step, now);
      case 'execute':
        return this.#tasks.execute(step.node, step.iteration, 1);
      case 'resume':
        return this.#resume(step.node, step.taskRun, now);
      case 'end_item': {
        const failure = endItem(this.#state, step.taskRun, step.failure, now);
        if (failure) this.#tasks.fail(step.node, step.taskRun, failure);
      }
    }
  }

  #resume(node: GraphNode, taskRun: TaskRun, now: number): void {
    const { waitingFor, iteration, attempt } = taskRun;
    if (waitingFor === 'retry') this.#tasks.execute(node, iteration, attempt + 1);
    else if (waitingFor === 'repeat') this.#tasks.execute(node, iteration, attempt);
    else endWait(this.#state, taskRun, now);
  }

  #now(): number {
    return this.#deps.clock.now().getTime();
  }

  #answerNow(failed: boolean): void {
    if (!this.#state.run.awaitsAnswer) return;
    this.#answer = this.#deps.renderAnswer(this.#state, failed);
    this.#state.run.awaitsAnswer = false;
  }

  async #finish(
    plan: Exclude<Plan, { status: 'active' }> | { status: 'failed'; failure: undefined },
  ): Promise<AdvanceOutcome> {
    if (plan.status === 'waiting') {
      const written = await this.#write({ status: 'waiting', resumeAt: plan.resumeAt });
      return written ? 'waiting' : 'lost';
    }
    const failed = plan.status === 'failed';
    if (failed) cancelOpen(this.#state, this.#now());
    this.#answerNow(failed);
    const change: RunChange = { status: plan.status, finishedAt: this.#now() };
    if (failed) change.error = plan.failure?.error ?? tooLong();
    return (await this.#write(change)) ? plan.status : 'lost';
  }

  async #write(change: RunChange): Promise<boolean> {
    const rows = [...this.#state.dirty];
    this.#state.dirty.clear();
    if (this.#answer) change.answer = this.#answer;
    this.#answer = undefined;
    const owned = await this.#deps.store.write(this.#state.run, rows, change);
    if (!owned) this.#lost = true;
    return owned;
  }
}

const tooLong = (): RunError => ({
  code: 'too_many_task_runs',
  message: `The run has executed more than ${MAX_TASK_RUNS.toLocaleString('en')} tasks: split the work over several runs.`,
});

// One run in memory and its changes: the planned steps, the response for its caller, and its end. run.ts and first-leg.ts
// decide when, and what is written.
import type { JsonValue } from '#lib/core/json/value.ts';
import type { EngineDeps, RunAnswer, RunChange } from './engine-deps.ts';
import type { GraphNode } from './graph.ts';
import { type FindBranchAfterFailure, type Plan, planRun, type Step } from './plan.ts';
import type { RunState } from './run-state.ts';
import type { RunError, TaskRun } from './run-types.ts';
import { TaskExecution } from './task-execution.ts';
import { cancelOpen, endItem, endWait, passBy } from './transitions.ts';

/** Safety limit for runaway workflows. A run's memory does not grow with its task runs (npm run bench:loops), its rows do. */
const MAX_TASK_RUNS = 1_000_000;

export type RunStepsDeps = Pick<
  EngineDeps,
  'findExecutor' | 'clock' | 'random' | 'renderAnswer' | 'onUnexpectedError' | 'draft'
> & {
  /** Writes changes. @returns false when another worker has taken the run */
  checkpoint(): Promise<boolean>;
  /** Signals of a closed wait, in the order of their arrival. */
  loadSignals(waitId: string): Promise<JsonValue[]>;
  /** Nothing counts until it is committed. */
  isFirstLeg?: boolean;
};

/** A plan with nothing to do for now. */
export type Pause = Exclude<Plan, { status: 'active' }> | { status: 'failed'; failure: undefined };

export class RunSteps {
  readonly tasks: TaskExecution;
  readonly #state: RunState;
  readonly #deps: RunStepsDeps;
  readonly #branchAfterFailure: FindBranchAfterFailure = ({ type, settings }) =>
    this.#deps.findExecutor(type)?.branchAfterFailure?.(settings);
  #answer: RunAnswer | undefined;

  constructor(state: RunState, deps: RunStepsDeps) {
    this.#state = state;
    this.#deps = deps;
    this.tasks = new TaskExecution(state, { ...deps, onWait: () => this.#answerNow(false) });
  }

  /** The due steps, or that the run waits or has ended. */
  plan(): Plan | Pause {
    if (this.#state.size > MAX_TASK_RUNS) return { status: 'failed', failure: undefined };
    return planRun(this.#state.graph, this.#state.taskRunsOf, this.now(), this.#branchAfterFailure);
  }

  /** Starts a step. Synchronous executions have ended when this returns; the others are in progress. */
  apply(step: Step): void {
    const now = this.now();
    switch (step.kind) {
      case 'skip':
      case 'pass_over':
        return passBy(this.#state, step, now);
      case 'execute':
        return this.tasks.execute(step.node, step.iteration, 1);
      case 'resume':
        return this.#resume(step.node, step.taskRun, now);
      case 'end_item': {
        const failure = endItem(this.#state, step, now, () => this.tasks.endsLoop(step));
        if (failure) this.tasks.fail(step.node, step.taskRun, failure);
      }
    }
  }

  /** The change to write for a run that waits or has ended. */
  pause(plan: Pause): RunChange & { status: Pause['status'] } {
    if (plan.status === 'waiting') return { status: 'waiting', resumeAt: plan.resumeAt };
    const failed = plan.status === 'failed';
    if (failed) cancelOpen(this.#state, this.now());
    this.#answerNow(failed);
    const change = { status: plan.status, finishedAt: this.now() };
    if (!failed) return change;
    const error = plan.failure?.error ?? tooLong();
    const { taskId, iteration } = plan.failure ?? {};
    return { ...change, error, failure: { run: this.#state.run, taskId, iteration, code: error.code } };
  }

  get hasAnswer(): boolean {
    return this.#answer !== undefined;
  }

  /** The caller's response, once it is rendered; returned once. */
  takeAnswer(): RunAnswer | undefined {
    const answer = this.#answer;
    this.#answer = undefined;
    return answer;
  }

  now(): number {
    return this.#deps.clock.now().getTime();
  }

  #resume(node: GraphNode, taskRun: TaskRun, now: number): void {
    const { waitingFor, iteration, attempt } = taskRun;
    if (waitingFor === 'retry') this.tasks.execute(node, iteration, attempt + 1);
    else if (waitingFor === 'repeat' || waitingFor === 'signal') this.tasks.execute(node, iteration, attempt);
    else endWait(this.#state, taskRun, now);
  }

  #answerNow(failed: boolean): void {
    if (!this.#state.run.awaitsAnswer) return;
    this.#answer = this.#deps.renderAnswer(this.#state, failed);
    this.#state.run.awaitsAnswer = false;
  }
}

const tooLong = (): RunError => ({
  code: 'too_many_task_runs',
  message: `The run has executed more than ${MAX_TASK_RUNS.toLocaleString('en')} tasks: split the work over several runs.`,
});

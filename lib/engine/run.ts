// Advances one run: executes what the plan says is due, checkpoints around side effects, and goes on until the
// run is finished or waits. Control flow (waiting, losing the run to another worker) is kept apart from errors.
import type { Clock } from '#lib/clock.ts';
import type { GraphNode } from './graph.ts';
import { type Plan, planRun, type Step } from './plan.ts';
import { isDatabaseUnavailable } from '#lib/db/database-unavailable.ts';
import type { RunState } from './run-state.ts';
import type { RunError, TaskRun } from './run-types.ts';
import type { RunAnswer, RunChange, RunStore } from './store-types.ts';
import {
  type FindExecutor,
  RunLostError,
  type TaskContext,
  TaskError,
  type TaskResult,
} from './task-executor.ts';
import { cancelOpen, endItem, endWait, failTask, passBy, repeatTask, settleTask } from './transitions.ts';

export interface EngineDeps {
  store: Pick<RunStore, 'write'>;
  findExecutor: FindExecutor;
  clock: Clock;
  random: () => number;
  /** Renders what an after-workflow caller is told, from what is known by then. */
  renderAnswer(state: RunState, failed: boolean): RunAnswer;
  /** Told of errors that no task foresaw; they fail the task run with a text that shows nothing of them. */
  onUnexpectedError(error: unknown, taskRun: TaskRun, runId: string): void;
  /** Aborted when the process is to stop: the run is left at its next safe point for another worker. */
  stopping: AbortSignal;
}

/** Beyond it a run is a mistake in the drawing; it also bounds a run's memory. */
const MAX_TASK_RUNS = 100_000;
/** Unwritten task runs that are written without waiting for the end of the run. */
const CHECKPOINT_SIZE = 1000;
/** Steps after which other runs get their turn. */
const STEPS_PER_TURN = 500;

export const TRIGGER_RUN_TEXT = 'Inbound data was received and processed successfully.';

/** How an advance ended; `lost`: another worker has taken the run, which wrote nothing of ours. */
export type AdvanceOutcome = 'succeeded' | 'failed' | 'waiting' | 'lost' | 'stopped';

export async function advanceRun(state: RunState, deps: EngineDeps): Promise<AdvanceOutcome> {
  return new RunAdvance(state, deps).advance();
}

class RunAdvance {
  readonly #state: RunState;
  readonly #deps: EngineDeps;
  readonly #executing = new Set<Promise<void>>();
  #lost = false;
  #answer: RunAnswer | undefined;
  #steps = 0;

  constructor(state: RunState, deps: EngineDeps) {
    this.#state = state;
    this.#deps = deps;
  }

  async advance(): Promise<AdvanceOutcome> {
    this.#settleInterrupted();
    for (;;) {
      if (this.#lost) return this.#leave('lost');
      if (this.#deps.stopping.aborted) return this.#leave('stopped');
      if (this.#state.size > MAX_TASK_RUNS) return this.#finish({ status: 'failed', failure: undefined });
      const plan = planRun(this.#state.graph, this.#state.find, this.#now());
      if (plan.status !== 'active') return this.#finish(plan);
      for (const step of plan.steps) this.#apply(step);
      this.#steps += plan.steps.length;
      if (this.#answer && plan.steps.length === 0) await this.#write({});
      else if (plan.steps.length === 0) await Promise.race(this.#executing);
      else if (this.#state.dirty.size > CHECKPOINT_SIZE) await this.#write({});
      else if (this.#steps > STEPS_PER_TURN) await this.#yieldTurn();
    }
  }

  async #yieldTurn(): Promise<void> {
    this.#steps = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Waits for what is under way, so that nothing of this run is executing when somebody else takes it. */
  async #leave(outcome: 'lost' | 'stopped'): Promise<AdvanceOutcome> {
    await Promise.allSettled(this.#executing);
    if (outcome === 'stopped') await this.#write({ status: 'waiting', resumeAt: this.#now() });
    return outcome;
  }

  /** A task run that was executing when its process died (design section 4, "Durable"). */
  #settleInterrupted(): void {
    for (const taskRun of this.#state.all()) {
      if (taskRun.status !== 'running' || taskRun.loop) continue;
      const node = this.#nodeOf(taskRun);
      if (!taskRun.inFlight) {
        this.#execute(node, taskRun.iteration, taskRun.attempt);
      } else if (this.#mayNotRepeat(node)) {
        const message = 'The process stopped while this was under way: whether it happened is not known.';
        this.#fail(node, taskRun, new TaskError('interrupted', message, { outcomeUnknown: true }));
      } else {
        this.#execute(node, taskRun.iteration, taskRun.attempt + 1);
      }
    }
  }

  /** Whether a side effect that may have happened is flagged and not repeated. */
  #mayNotRepeat({ task }: GraphNode): boolean {
    const executor = this.#deps.findExecutor(task.type);
    return (task.if_interrupted ?? executor?.ifInterrupted?.(task.settings) ?? 'retry') === 'flag';
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
        return this.#execute(step.node, step.iteration, 1);
      case 'resume':
        return this.#resume(step.node, step.taskRun, now);
      case 'end_item': {
        const failure = endItem(this.#state, step.taskRun, step.failure, now);
        if (failure) this.#fail(step.node, step.taskRun, failure);
      }
    }
  }

  #resume(node: GraphNode, taskRun: TaskRun, now: number): void {
    const { waitingFor, iteration, attempt } = taskRun;
    if (waitingFor === 'retry') this.#execute(node, iteration, attempt + 1);
    else if (waitingFor === 'repeat') this.#execute(node, iteration, attempt);
    else endWait(this.#state, taskRun, now);
  }

  #now(): number {
    return this.#deps.clock.now().getTime();
  }

  #execute(node: GraphNode, iteration: string, attempt: number): void {
    const now = this.#deps.clock.now();
    const taskRun = this.#state.set(node.task.id, iteration, {
      status: 'running',
      attempt,
      startedAt: now.getTime(),
      finishedAt: undefined,
      resumeAt: undefined,
      waitingFor: undefined,
      inFlight: undefined,
    });
    if (node.task.id === this.#state.graph.triggerId) {
      this.#settle(node, taskRun, { kind: 'done', output: null, runText: TRIGGER_RUN_TEXT });
      return;
    }
    const executor = this.#deps.findExecutor(node.task.type);
    try {
      if (!executor) throw new TaskError('unknown_task_type', `There is no task type "${node.task.type}".`);
      const result = executor.execute(this.#contextOf(node, taskRun, now));
      if (result instanceof Promise) this.#track(node, taskRun, result);
      else this.#settle(node, taskRun, result);
    } catch (error) {
      this.#fail(node, taskRun, error);
    }
  }

  async #recordInFlight(taskRun: TaskRun, inFlight: boolean): Promise<void> {
    if (Boolean(taskRun.inFlight) !== inFlight) {
      taskRun.inFlight = inFlight;
      this.#state.dirty.add(taskRun);
      await this.#write({});
    }
    if (this.#lost) throw new RunLostError('The run is not ours any more.');
  }

  #track(node: GraphNode, taskRun: TaskRun, result: Promise<TaskResult>): void {
    const tracked = result
      .then(
        (value) => this.#settle(node, taskRun, value),
        (error: unknown) => this.#fail(node, taskRun, error),
      )
      .finally(() => this.#executing.delete(tracked));
    this.#executing.add(tracked);
  }

  #contextOf(node: GraphNode, taskRun: TaskRun, now: Date): TaskContext {
    const { run } = this.#state;
    return {
      settings: node.task.settings,
      scope: this.#state.scopeAt(taskRun.iteration, now),
      workspaceId: run.workspaceId,
      workflowId: run.workflowId,
      runId: run.id,
      taskId: taskRun.taskId,
      iteration: taskRun.iteration,
      attempt: taskRun.attempt,
      now,
      recordSideEffect: () => this.#recordInFlight(taskRun, true),
      withdrawSideEffect: () => this.#recordInFlight(taskRun, false),
    };
  }

  #settle(node: GraphNode, taskRun: TaskRun, result: TaskResult): void {
    taskRun.inFlight = undefined;
    settleTask(this.#state, node, taskRun, result, this.#now());
    if (result.kind === 'wait') this.#answerNow(false);
  }

  #fail(node: GraphNode, taskRun: TaskRun, error: unknown): void {
    if (error instanceof RunLostError) return;
    const hasDoneNothing = !taskRun.inFlight;
    const failure = error instanceof TaskError ? error : undefined;
    if (!failure && hasDoneNothing && isDatabaseUnavailable(error)) {
      const reason = 'The database could not be reached: the task is executed again.';
      return repeatTask(this.#state, taskRun, reason, this.#now());
    }
    taskRun.inFlight = undefined;
    const outcomeUnknown = !hasDoneNothing && this.#mayNotRepeat(node);
    const known = failure ?? this.#toTaskError(error, taskRun, outcomeUnknown);
    failTask(this.#state, node, taskRun, known, this.#now(), this.#deps.random());
  }

  #toTaskError(error: unknown, taskRun: TaskRun, outcomeUnknown: boolean): TaskError {
    this.#deps.onUnexpectedError(error, taskRun, this.#state.run.id);
    const message = outcomeUnknown
      ? 'Internal error while this was under way: whether it happened is not known. The server log has the details.'
      : 'Internal error. The server log has the details.';
    return new TaskError('internal', message, { outcomeUnknown });
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
    if (failed) cancelOpen(this.#state, '', this.#now());
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
  message: `The run has executed more than ${MAX_TASK_RUNS} tasks: split the work over several runs.`,
});

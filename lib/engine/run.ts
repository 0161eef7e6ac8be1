// Advances one run: executes what the plan says is due, checkpoints around side effects, and goes on until the
// run is finished or waits. Control flow (waiting, losing the run to another worker) is kept apart from errors.
import type { Clock } from '#lib/clock.ts';
import { backoffMs } from './backoff.ts';
import { entersLoop, type GraphNode } from './graph.ts';
import { itemIteration, PASSED_OVER, type Plan, planRun, type Step } from './plan.ts';
import type { RunState } from './run-state.ts';
import type { LoopState, RunError, TaskRun } from './run-types.ts';
import type { RunAnswer, RunChange, RunStore } from './store-types.ts';
import { type FindExecutor, TaskError, type TaskExecutor, type TaskResult } from './task-executor.ts';

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

const DEFAULT_MAX_ATTEMPTS = 5;
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
      const plan = planRun(this.#state.graph, this.#state.find, this.#deps.clock.now().getTime());
      if (plan.status !== 'active') return this.#finish(plan);
      for (const step of plan.steps) this.#apply(step);
      this.#steps += plan.steps.length;
      if (plan.steps.length === 0) await Promise.race(this.#executing);
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
    if (outcome === 'stopped')
      await this.#write({ status: 'waiting', resumeAt: this.#deps.clock.now().getTime() });
    return outcome;
  }

  /** A task run that was executing when its process died (design section 4, "Durable"). */
  #settleInterrupted(): void {
    for (const taskRun of this.#state.all()) {
      if (taskRun.status !== 'running' || taskRun.loop) continue;
      const node = this.#nodeOf(taskRun);
      const executor = this.#deps.findExecutor(node.task.type);
      const policy = node.task.if_interrupted ?? executor?.ifInterrupted?.(node.task.settings) ?? 'retry';
      if (policy === 'flag') {
        const message = 'The process stopped while this was under way: whether it happened is not known.';
        this.#fail(node, taskRun, new TaskError('interrupted', message, { outcomeUnknown: true }));
      } else {
        this.#execute(node, taskRun.iteration, taskRun.attempt + 1);
      }
    }
  }

  #nodeOf(taskRun: TaskRun): GraphNode {
    const node = this.#state.graph.nodes.get(taskRun.taskId);
    if (!node) throw new Error(`Task ${taskRun.taskId} is not in this version.`);
    return node;
  }

  #apply(step: Step): void {
    const now = this.#deps.clock.now().getTime();
    const ended = { startedAt: now, finishedAt: now };
    switch (step.kind) {
      case 'skip':
        this.#state.set(step.node.task.id, step.iteration, {
          status: 'skipped',
          runText: 'Skipped: no way led here.',
          ...ended,
        });
        return;
      case 'pass_over':
        this.#state.set(step.node.task.id, step.iteration, {
          status: 'skipped',
          branch: PASSED_OVER,
          runText: 'Passed over: the task is disabled.',
          ...ended,
        });
        return;
      case 'execute':
        this.#execute(step.node, step.iteration, 1);
        return;
      case 'resume':
        this.#resume(step.node, step.taskRun, now);
        return;
      case 'end_item':
        this.#endItem(step.node, step.taskRun, step.failure, now);
    }
  }

  #resume(node: GraphNode, taskRun: TaskRun, now: number): void {
    if (taskRun.waitingFor === 'retry') {
      this.#execute(node, taskRun.iteration, taskRun.attempt + 1);
      return;
    }
    const isDelay = taskRun.waitingFor === 'delay';
    this.#state.set(taskRun.taskId, taskRun.iteration, {
      status: isDelay ? 'succeeded' : 'running',
      resumeAt: undefined,
      waitingFor: undefined,
      ...(isDelay ? { finishedAt: now } : {}),
    });
  }

  #endItem(node: GraphNode, taskRun: TaskRun, failure: TaskRun | undefined, now: number): void {
    const loop = taskRun.loop;
    if (!loop) return;
    if (failure) {
      this.#cancelWaiting(itemIteration(taskRun.iteration, loop.index));
      loop.failedCount += 1;
      if (loop.onItemFailure === 'stop') {
        const message = `Item ${loop.index + 1} of ${loop.count} failed: ${failure.error?.message ?? 'no reason was given'}`;
        const details = { item: loop.index, task_id: failure.taskId };
        this.#fail(node, taskRun, new TaskError('item_failed', message, { details }));
        return;
      }
    }
    loop.index += 1;
    this.#state.dirty.add(taskRun);
    if (loop.index >= loop.count) this.#finishLoop(taskRun, loop);
    else if (loop.pauseSeconds > 0) {
      const resumeAt = now + loop.pauseSeconds * 1000;
      this.#state.set(taskRun.taskId, taskRun.iteration, {
        status: 'waiting',
        waitingFor: 'pause',
        resumeAt,
      });
    }
  }

  #finishLoop(taskRun: TaskRun, loop: LoopState): void {
    const failed = loop.failedCount > 0 ? `, ${loop.failedCount} failed` : '';
    this.#state.set(taskRun.taskId, taskRun.iteration, {
      status: 'succeeded',
      branch: 'done',
      output: { count: loop.count, failed_count: loop.failedCount },
      runText: `Went through ${loop.count} ${loop.count === 1 ? 'item' : 'items'}${failed}.`,
      finishedAt: this.#deps.clock.now().getTime(),
    });
  }

  #cancelWaiting(iteration: string): void {
    const inside = (taskRun: TaskRun): boolean =>
      iteration === '' || taskRun.iteration === iteration || taskRun.iteration.startsWith(`${iteration}.`);
    const finishedAt = this.#deps.clock.now().getTime();
    for (const taskRun of this.#state.all()) {
      const open =
        taskRun.status === 'waiting' || (taskRun.status === 'running' && taskRun.loop !== undefined);
      if (!open || !inside(taskRun)) continue;
      this.#state.set(taskRun.taskId, taskRun.iteration, {
        status: 'cancelled',
        runText: 'Cancelled: another task failed.',
        resumeAt: undefined,
        finishedAt,
      });
    }
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
    });
    if (node.task.id === this.#state.graph.triggerId) {
      this.#settle(node, taskRun, { kind: 'done', output: null, runText: TRIGGER_RUN_TEXT });
      return;
    }
    const executor = this.#deps.findExecutor(node.task.type);
    try {
      if (!executor) throw new TaskError('unknown_task_type', `There is no task type "${node.task.type}".`);
      const result = executor.hasSideEffect?.(node.task.settings)
        ? this.#executeRecorded(node, taskRun, executor)
        : executor.execute(this.#contextOf(node, taskRun, now));
      if (result instanceof Promise) this.#track(node, taskRun, result);
      else this.#settle(node, taskRun, result);
    } catch (error) {
      this.#fail(node, taskRun, error);
    }
  }

  async #executeRecorded(
    node: GraphNode,
    taskRun: TaskRun,
    executor: TaskExecutor,
  ): Promise<TaskResult | undefined> {
    if (!(await this.#write({}))) return undefined;
    return executor.execute(this.#contextOf(node, taskRun, this.#deps.clock.now()));
  }

  #track(node: GraphNode, taskRun: TaskRun, result: Promise<TaskResult | undefined>): void {
    const tracked = result
      .then(
        (value) => value && this.#settle(node, taskRun, value),
        (error: unknown) => this.#fail(node, taskRun, error),
      )
      .finally(() => this.#executing.delete(tracked));
    this.#executing.add(tracked);
  }

  #contextOf(node: GraphNode, taskRun: TaskRun, now: Date) {
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
    };
  }

  #settle(node: GraphNode, taskRun: TaskRun, result: TaskResult): void {
    const now = this.#deps.clock.now().getTime();
    const { taskId, iteration } = taskRun;
    if (result.kind === 'done') {
      const { output, runText, branch } = result;
      this.#state.set(taskId, iteration, {
        status: 'succeeded',
        output,
        runText,
        branch,
        error: undefined,
        finishedAt: now,
      });
    } else if (result.kind === 'wait') {
      const { output, runText } = result;
      const resumeAt = result.until.getTime();
      this.#state.set(taskId, iteration, {
        status: 'waiting',
        waitingFor: 'delay',
        output,
        runText,
        resumeAt,
      });
      this.#answerNow(false);
    } else {
      const loop: LoopState = { ...result, index: 0, failedCount: 0 };
      this.#state.set(taskId, iteration, { status: 'running', loop });
      const hasBody = node.children.some(entersLoop);
      if (loop.count === 0 || !hasBody) this.#finishLoop(taskRun, loop);
    }
  }

  #fail(node: GraphNode, taskRun: TaskRun, error: unknown): void {
    const failure = this.#toTaskError(error, taskRun);
    const now = this.#deps.clock.now();
    const { taskId, iteration, attempt } = taskRun;
    const runError = failure.toRunError(taskId);
    const maxAttempts = node.task.max_attempts ?? DEFAULT_MAX_ATTEMPTS;
    if (failure.retry.kind !== 'never' && !failure.outcomeUnknown && attempt < maxAttempts) {
      const resumeAt = now.getTime() + backoffMs(failure.retry, attempt, this.#deps.random());
      const started = new Date(taskRun.startedAt ?? now).toISOString();
      const earlier = { attempt, started_at: started, finished_at: now.toISOString(), error: runError };
      const attempts = [...(taskRun.attempts ?? []), earlier];
      const runText = `Attempt ${attempt} of ${maxAttempts} failed: ${failure.message}`;
      this.#state.set(taskId, iteration, {
        status: 'waiting',
        waitingFor: 'retry',
        resumeAt,
        attempts,
        error: runError,
        runText,
      });
      return;
    }
    this.#state.set(taskId, iteration, {
      status: failure.outcomeUnknown ? 'outcome_unknown' : 'failed',
      output: failure.output,
      error: runError,
      runText: failure.message,
      finishedAt: now.getTime(),
    });
  }

  #toTaskError(error: unknown, taskRun: TaskRun): TaskError {
    if (error instanceof TaskError) return error;
    this.#deps.onUnexpectedError(error, taskRun, this.#state.run.id);
    return new TaskError(
      'internal',
      'The task failed for a reason it did not foresee; the log of the server has it.',
    );
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
    if (failed) this.#cancelWaiting('');
    this.#answerNow(failed);
    const change: RunChange = { status: plan.status, finishedAt: this.#deps.clock.now().getTime() };
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

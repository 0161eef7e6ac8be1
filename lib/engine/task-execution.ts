// Executes the tasks of one run and records their outcomes. run.ts decides which are due.
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { newId } from '#lib/core/ids.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { readCallerTrace, writeTraceHeaders } from '#lib/core/trace-headers.ts';
import { guardSideEffects } from './draft-run.ts';
import type { EngineDeps } from './engine-deps.ts';
import { afterTask, type GraphNode } from './graph.ts';
import { itemIteration, type Step } from './plan.ts';
import type { RunState } from './run-state.ts';
import { type SignalWait, type TaskRun, TRIGGER_RUN_TEXT } from './run-types.ts';
import {
  changeOutside,
  type ListenOptions,
  RunLostError,
  type SideEffects,
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from './task-executor.ts';
import { failTask, repeatTask, settleTask } from './transitions.ts';

/** Minimum time between two queries of the database. */
const AFTER_OUTAGE_MS = 1000;

export interface TaskExecutionDeps extends Pick<
  EngineDeps,
  'findExecutor' | 'clock' | 'random' | 'onUnexpectedError' | 'draft'
> {
  /** Writes changes. @returns false when another worker has taken the run */
  checkpoint(): Promise<boolean>;
  /** Signals of a closed wait, in the order of their arrival. */
  loadSignals(waitId: string): Promise<JsonValue[]>;
  /** Called when a task waits for a signal. */
  onWait(): void;
  /** Nothing counts until it is committed. */
  isFirstLeg?: boolean;
}

const OUTCOMES = { done: 'done', wait: 'waits', listen: 'waits', loop: 'loops' } as const;

export class TaskExecution {
  /** Executions in progress. */
  readonly underWay = new Set<Promise<void>>();
  readonly #state: RunState;
  readonly #deps: TaskExecutionDeps;
  #oneEnded = Promise.withResolvers<void>();

  constructor(state: RunState, deps: TaskExecutionDeps) {
    this.#state = state;
    this.#deps = deps;
  }

  /** Begins an execution. A synchronous one has ended when this returns. */
  execute(node: GraphNode, iteration: string, attempt: number): void {
    const now = this.#deps.clock.now();
    const known = this.#state.find(node.task.id, iteration);
    const isRepeat = known?.waitingFor === 'repeat';
    // After a wait for a signal an execution continues.
    const begun = known?.wait && { startedAt: known.startedAt, captured: known.captured };
    const taskRun = this.#state.set(node.task.id, iteration, {
      status: 'running',
      attempt,
      startedAt: now.getTime(),
      finishedAt: undefined,
      resumeAt: undefined,
      waitingFor: undefined,
      inFlight: undefined,
      captured: undefined,
      ...begun,
    });
    if (node.task.id === this.#state.graph.triggerId) {
      this.#settle(node, taskRun, { kind: 'done', output: null, runText: TRIGGER_RUN_TEXT });
      return;
    }
    const pin = this.#deps.draft?.pins[node.task.id];
    if (pin) {
      const { output, runText, branch } = pin;
      const result: TaskResult = { kind: 'done', output: parseJson(output), runText };
      this.#settle(node, taskRun, branch === undefined ? result : { ...result, branch });
      return;
    }
    const executor = this.#deps.findExecutor(node.task.type);
    try {
      const refusal = this.#deps.draft?.refusals[node.task.id];
      if (refusal !== undefined) throw new TaskError('invalid_settings', refusal);
      if (!executor) throw new TaskError('unknown_task_type', `There is no task type "${node.task.type}".`);
      const context = { ...this.#contextOf(node, taskRun, now), isRepeat };
      const call = (): TaskResult | Promise<TaskResult> =>
        taskRun.wait
          ? this.#executeResumed(executor, context, taskRun, taskRun.wait)
          : executor.execute(context);
      const { type } = node.task;
      const { taskId } = taskRun;
      const result = telemetry.execution.isHeard
        ? telemetry.execution.within({ key: taskRun, taskId, type, iteration, attempt }, call)
        : call();
      if (result instanceof Promise) this.#track(node, taskRun, result);
      else this.#settle(node, taskRun, result);
    } catch (error) {
      this.fail(node, taskRun, error);
    }
  }

  /** Resumes a task run that was executing when its process died (docs/engine.md, "Durability"). */
  settleInterrupted(node: GraphNode, taskRun: TaskRun): void {
    if (!taskRun.inFlight) {
      this.execute(node, taskRun.iteration, taskRun.attempt);
    } else if (this.#mayNotRepeat(node)) {
      const message = 'The process stopped during this task. It is not known whether it happened.';
      this.fail(node, taskRun, new TaskError('interrupted', message, { outcomeUnknown: true }));
    } else {
      this.execute(node, taskRun.iteration, taskRun.attempt + 1);
    }
  }

  /** Whether the condition of a loop holds after a pass. @throws TaskError */
  endsLoop({ node, taskRun, item }: Pick<Step & { kind: 'end_item' }, 'node' | 'taskRun' | 'item'>): boolean {
    const { settings, type } = node.task;
    const reader = afterTask(this.#state.graph, node, true);
    const iteration = itemIteration(taskRun.iteration, item);
    const scope = this.#state.scopeOf(reader, iteration, this.#deps.clock.now());
    return this.#deps.findExecutor(type)?.endsLoop?.({ settings, scope }) ?? false;
  }

  fail(node: GraphNode, taskRun: TaskRun, error: unknown): void {
    if (error instanceof RunLostError) return;
    const now = this.#deps.clock.now().getTime();
    const { inFlight } = taskRun;
    if (!inFlight && isDatabaseUnavailable(error)) {
      const reason = 'The database could not be reached. The task will run again.';
      repeatTask(this.#state, taskRun, reason, now + AFTER_OUTAGE_MS);
      return;
    }
    taskRun.inFlight = undefined;
    const failure =
      error instanceof TaskError ? error : this.#toTaskError(error, node, taskRun, inFlight === true);
    failTask(this.#state, node, taskRun, failure, now, this.#deps.random());
    this.#tell(node, taskRun, failure.code, now, true);
  }

  /** Close the wait before reading its signals: one that arrives at the end is either used, or reaches no wait. */
  async #executeResumed(
    executor: TaskExecutor,
    context: TaskContext,
    taskRun: TaskRun,
    wait: SignalWait,
  ): Promise<TaskResult> {
    if (!wait.isClosed) {
      taskRun.wait = { ...wait, isClosed: true };
      const { key, rule, quietMs } = wait;
      if (wait.keepsListening) this.#listen(taskRun, { key, rule, quietMs });
      this.#state.dirty.add(taskRun);
      await this.#checkpoint();
    }
    const signals = await this.#deps.loadSignals(wait.id);
    const stopListening = (): Promise<JsonValue[]> => this.#stopListening(taskRun);
    return executor.execute({
      ...context,
      resumed: { signals, memory: taskRun.memory ?? null, stopListening },
    });
  }

  /** See `Resumption`. */
  async #stopListening(taskRun: TaskRun): Promise<JsonValue[]> {
    const next = taskRun.listening;
    if (!next) return [];
    taskRun.listening = { ...next, isClosed: true };
    this.#state.dirty.add(taskRun);
    await this.#checkpoint();
    return this.#deps.loadSignals(next.id);
  }

  async #checkpoint(): Promise<void> {
    if (!(await this.#deps.checkpoint())) throw new RunLostError('The run is not ours any more.');
  }

  /** A retried execution keeps the wait of its earlier attempt: a response to that attempt may have arrived. */
  #listen(taskRun: TaskRun, { key, rule = 'newest', quietMs = 0 }: ListenOptions): void {
    const earlier = taskRun.listening;
    if (
      earlier &&
      !earlier.isClosed &&
      earlier.key === key &&
      earlier.rule === rule &&
      earlier.quietMs === quietMs
    )
      return;
    this.#state.listen(taskRun, { id: newId(), key, rule, quietMs });
  }

  /** Whether a side effect that may have happened gets an unknown outcome instead of being repeated. */
  #mayNotRepeat({ task }: GraphNode): boolean {
    const executor = this.#deps.findExecutor(task.type);
    return (task.if_interrupted ?? executor?.ifInterrupted?.(task.settings) ?? 'retry') === 'flag';
  }

  #track(node: GraphNode, taskRun: TaskRun, result: Promise<TaskResult>): void {
    const tracked = result
      .then(
        (value) => this.#settle(node, taskRun, value),
        (error: unknown) => this.fail(node, taskRun, error),
      )
      .finally(() => {
        this.underWay.delete(tracked);
        this.#oneEnded.resolve();
      });
    this.underWay.add(tracked);
  }

  /** Resolves when the next execution in progress ends: unlike `Promise.race`, at a cost that does not grow with their number. */
  untilOneEnds(): Promise<void> {
    this.#oneEnded = Promise.withResolvers();
    return this.#oneEnded.promise;
  }

  #contextOf(node: GraphNode, taskRun: TaskRun, now: Date): TaskContext {
    const { run } = this.#state;
    return {
      settings: node.task.settings,
      scope: this.#state.scopeOf(node, taskRun.iteration, now),
      workspaceId: run.workspaceId,
      workflowId: run.workflowId,
      runId: run.id,
      taskId: taskRun.taskId,
      iteration: taskRun.iteration,
      attempt: taskRun.attempt,
      hasOpenWait: taskRun.listening !== undefined,
      now,
      hasExit: (branch) => node.children.some((edge) => edge.branch === branch),
      traceHeaders: () => this.#traceHeaders(),
      listen: (options) => this.#listen(taskRun, options),
      recordWait: () => this.#checkpoint(),
      ...this.#effectsOf(taskRun),
    };
  }

  /** Replays and draft runs have no connection with the caller's trace. */
  #traceHeaders(): Record<string, string> {
    const { event, version } = this.#state.run;
    const caller = event.isReplay || version < 0 ? undefined : readCallerTrace(event.headers);
    return caller ? writeTraceHeaders(caller) : {};
  }

  #effectsOf(taskRun: TaskRun): SideEffects {
    const { draft } = this.#deps;
    const effects: SideEffects = {
      changeOutside,
      recordSideEffect: () => this.#recordInFlight(taskRun, true),
      withdrawSideEffect: () => this.#recordInFlight(taskRun, false),
    };
    if (!draft) return effects;
    return guardSideEffects(draft, effects, (shown) => {
      taskRun.captured = [...(taskRun.captured ?? []), shown];
    });
  }

  async #recordInFlight(taskRun: TaskRun, inFlight: boolean): Promise<void> {
    if (Boolean(taskRun.inFlight) === inFlight) return;
    taskRun.inFlight = inFlight;
    this.#state.dirty.add(taskRun);
    if (await this.#deps.checkpoint()) return;
    taskRun.inFlight = !inFlight;
    throw new RunLostError('The run is not ours any more.');
  }

  #settle(node: GraphNode, taskRun: TaskRun, result: TaskResult): void {
    taskRun.inFlight = undefined;
    const now = this.#deps.clock.now().getTime();
    settleTask(this.#state, node, taskRun, result, now);
    this.#tell(node, taskRun, OUTCOMES[result.kind], now);
    if (result.kind === 'wait' || (result.kind === 'listen' && !result.keepsCaller)) this.#deps.onWait();
  }

  #tell({ task }: GraphNode, taskRun: TaskRun, outcome: string, now: number, isError = false): void {
    if (!telemetry.task.isHeard) return;
    const { isFirstLeg = false } = this.#deps;
    const seconds = Math.max(0, now - (taskRun.startedAt ?? 0)) / 1000;
    telemetry.task.tell({ key: taskRun, type: task.type, outcome, isError, isFirstLeg, seconds });
  }

  #toTaskError(error: unknown, node: GraphNode, taskRun: TaskRun, wasInFlight: boolean): TaskError {
    this.#deps.onUnexpectedError(error, taskRun, this.#state.run.id);
    const outcomeUnknown = wasInFlight && this.#mayNotRepeat(node);
    const message = outcomeUnknown
      ? 'Internal error while this was under way: whether it happened is not known. The server log has the details.'
      : 'Internal error. The server log has the details.';
    return new TaskError('internal', message, { outcomeUnknown });
  }
}

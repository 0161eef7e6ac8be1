// A run in memory: its task runs by task and iteration, which of them are unwritten, and what variables see.
import type { JsonValue } from '#lib/core/json/value.ts';
import { createScope, type TaskView, type VariableScope } from '#lib/variables/scope.ts';
import { type CompiledGraph, type GraphNode, sharesLoops } from './graph.ts';
import { itemIteration } from './plan.ts';
import { isOpenTaskRun } from './run-statuses.ts';
import type { LoopState, RunWait, SignalWait, TaskRun } from './run-types.ts';

export interface TakenRun {
  id: string;
  epoch: number;
  workspaceId: string;
  workflowId: string;
  version: number;
  /** A caller waits for a response that is not recorded yet. */
  awaitsAnswer: boolean;
  /** Of the workspace; left out: UTC. */
  zone?: string | undefined;
  /** Others may wait for its end: the next one of its line, or its caller. */
  isInLine?: true;
  /**
   * When it was read, in milliseconds since 1970, until its first write takes it: another worker may be the one that does
   * (docs/engine.md, "Durability").
   */
  readAt?: number | undefined;
  event: {
    id: string;
    /** Its payload comes from another event. */
    isReplay: boolean;
    body: JsonValue;
    headers: Record<string, string>;
    /** The bodies of the webhooks of its burst; left out: its own one. */
    webhooks?: JsonValue[] | undefined;
  };
}

const NONE: ReadonlyMap<number, TaskRun> = new Map();

/**
 * Holds only the open items of a loop: nothing can read the task runs of finished items, so that they are neither kept nor
 * loaded.
 */
export class RunState {
  readonly run: TakenRun;
  readonly graph: CompiledGraph;
  /** Changed since the last write. */
  readonly dirty = new Set<TaskRun>();
  /** By iteration, then by task. */
  readonly #taskRuns = new Map<string, Map<number, TaskRun>>();
  #count = 0;
  #pastTaskRuns = 0;
  #hasListened = false;

  constructor(run: TakenRun, graph: CompiledGraph, taskRuns: readonly TaskRun[]) {
    this.run = run;
    this.graph = graph;
    for (const taskRun of taskRuns) {
      this.#add(taskRun);
      this.#pastTaskRuns += taskRun.loop?.pastTaskRuns ?? 0;
      if (taskRun.wait || taskRun.listening) this.#hasListened = true;
    }
  }

  /** Marks that a task run will wait for a signal: from now on waits are written. */
  listen(taskRun: TaskRun, wait: SignalWait): void {
    this.#hasListened = true;
    taskRun.listening = wait;
    this.dirty.add(taskRun);
  }

  /** All waits for signals; undefined where the run has had none since it was taken. */
  listWaits(): RunWait[] | undefined {
    if (!this.#hasListened) return undefined;
    const waits: RunWait[] = [];
    for (const { taskId, iteration, wait, listening, waitingFor, status } of this.all()) {
      const isAwaited = status === 'waiting' && waitingFor === 'signal';
      if (wait) waits.push({ ...wait, taskId, iteration, isAwaited });
      if (listening) waits.push({ ...listening, taskId, iteration, isAwaited: false });
    }
    return waits;
  }

  /** Whether a signal may arrive for the run while it waits. */
  get awaitsSignal(): boolean {
    return this.listWaits()?.some(({ isAwaited }) => isAwaited) === true;
  }

  find(taskId: number, iteration: string): TaskRun | undefined {
    return this.#taskRuns.get(iteration)?.get(taskId);
  }

  /** The task runs of an iteration, by task. */
  readonly taskRunsOf = (iteration: string): ReadonlyMap<number, TaskRun> =>
    this.#taskRuns.get(iteration) ?? NONE;

  *all(): Generator<TaskRun> {
    for (const taskRuns of this.#taskRuns.values()) yield* taskRuns.values();
  }

  /** Number of all task runs of the run, including those of finished items. */
  get size(): number {
    return this.#count + this.#pastTaskRuns;
  }

  /** Counts and drops the task runs of a finished item of a loop; unwritten ones will still be written. */
  leaveItem(taskRun: TaskRun, loop: LoopState, index: number): void {
    const before = this.#count;
    loop.pastTaskRuns += this.#forgetItem(taskRun, index);
    this.#pastTaskRuns += before - this.#count;
  }

  /** @returns the number of the item's task runs */
  #forgetItem({ taskId, iteration }: TaskRun, index: number): number {
    let made = 0;
    const item = itemIteration(iteration, index);
    const taskRuns = this.#taskRuns.get(item);
    if (!taskRuns) return 0;
    for (const { task } of this.graph.scopes.get(taskId) ?? []) {
      const inner = taskRuns.get(task.id);
      if (!inner) continue;
      taskRuns.delete(task.id);
      this.#count -= 1;
      made += 1;
      made += inner.loop?.pastTaskRuns ?? 0;
      for (const each of inner.loop?.open ?? []) made += this.#forgetItem(inner, each);
    }
    // Items of loops side by side have equal iterations.
    if (taskRuns.size === 0) this.#taskRuns.delete(item);
    return made;
  }

  /** Adds or changes a task run; either way it will be written. */
  set(taskId: number, iteration: string, change: Partial<TaskRun> & Pick<TaskRun, 'status'>): TaskRun {
    let taskRun = this.find(taskId, iteration);
    if (!taskRun) {
      taskRun = { taskId, iteration, attempt: 1, ...change };
      this.#add(taskRun);
    } else {
      Object.assign(taskRun, change);
    }
    this.dirty.add(taskRun);
    return taskRun;
  }

  #add(taskRun: TaskRun): void {
    const { iteration, taskId } = taskRun;
    const known = this.#taskRuns.get(iteration);
    if (known) known.set(taskId, taskRun);
    else this.#taskRuns.set(iteration, new Map([[taskId, taskRun]]));
    this.#count += 1;
  }

  /**
   * Variables as a task in an iteration sees them: the outputs of tasks of the same iteration and of those around it, and the
   * items of its loops (docs/variables.md).
   */
  scopeOf(reader: GraphNode, iteration: string, now: Date, body?: JsonValue): VariableScope {
    const indexes = iteration === '' ? [] : iteration.split('.').map(Number);
    return createScope({
      now: () => now,
      zone: this.run.zone,
      body,
      tasks: (taskId) => this.#viewOf(taskId, reader, indexes),
    });
  }

  #viewOf(taskId: number, reader: GraphNode, indexes: readonly number[]): TaskView | undefined {
    const node = this.graph.nodes.get(taskId);
    if (!node || !sharesLoops(node, reader)) return undefined;
    const iteration = indexes.slice(0, node.loops.length).join('.');
    const taskRun = this.find(taskId, iteration);
    if (!taskRun) return undefined;
    const isTrigger = taskId === this.graph.triggerId;
    const view: TaskView = { output: isTrigger ? this.run.event.body : taskRun.output };
    if (isTrigger) {
      const { headers, body, webhooks = [body] } = this.run.event;
      Object.assign(view, { headers, webhooks });
    }
    if (taskRun.runText !== undefined) view.run_text = taskRun.runText;
    if (!isOpenTaskRun(taskRun.status)) view.run = taskRun.status === 'succeeded';
    const depth = node.loops.length;
    const index = reader.loops[depth] === taskId ? indexes[depth] : undefined;
    if (taskRun.loop && index !== undefined) {
      const item = taskRun.loop.items?.[index];
      view.extra = item === undefined ? { index } : { item, index };
      if (taskRun.loop.isUntil) view.extra['round'] = index + 1;
    }
    return view;
  }
}

// Next tasks in a run: a pure function of the graph and the task runs so far (docs/engine.md).
import {
  FAILED_BRANCH,
  onFailureOf,
  takesFailedBranch,
  type WorkflowEdge,
  type WorkflowTask,
} from './graph-types.ts';
import { type CompiledGraph, entersLoop, type GraphNode, ROOT_SCOPE } from './graph.ts';
import { hasFailed, isOpenTaskRun } from './run-statuses.ts';
import type { LoopState, TaskRun } from './run-types.ts';

/** The branch of a disabled task that lets its children run. */
export const PASSED_OVER = '*';

export type Step =
  | { kind: 'execute'; node: GraphNode; iteration: string }
  | { kind: 'skip'; node: GraphNode; iteration: string }
  /** A disabled task: its children run as if it had succeeded without output. */
  | { kind: 'pass_over'; node: GraphNode; iteration: string }
  /** A wait is over: a delay has passed, a retry or a loop's next item is due. */
  | { kind: 'resume'; node: GraphNode; taskRun: TaskRun }
  /** All tasks of a loop's item are settled, or one of them failed for good. */
  | { kind: 'end_item'; node: GraphNode; taskRun: TaskRun; item: number; failure: TaskRun | undefined };

export type Plan =
  | { status: 'active'; steps: Step[] }
  | { status: 'waiting'; resumeAt: number }
  | { status: 'succeeded' }
  | { status: 'failed'; failure: TaskRun };

/** The task runs of an iteration so far, by task. */
export type TaskRunsOf = (iteration: string) => ReadonlyMap<number, TaskRun>;

/** The branch that a task leaves by when it failed and the run continues; undefined: its plain exit. */
export type FindBranchAfterFailure = (task: WorkflowTask) => string | undefined;

/** The iteration of a loop's body: its own iteration with the index of the item behind it. */
export const itemIteration = (iteration: string, index: number): string =>
  iteration === '' ? String(index) : `${iteration}.${index}`;

/**
 * Plans the steps that are due now, or that the run waits or has ended. A task is due when all its parents are settled and at
 * least one edge to it was taken; it is skipped when none was. `active` without steps means that tasks are executing and
 * their results have to be awaited.
 * @param now milliseconds since 1970: waits that end by then are over
 */
export function planRun(
  graph: CompiledGraph,
  taskRunsOf: TaskRunsOf,
  now: number,
  branchAfterFailure: FindBranchAfterFailure,
): Plan {
  const root = new ScopePlanner(graph, taskRunsOf, now, branchAfterFailure).planScope(ROOT_SCOPE, '');
  if (root.steps.length > 0 || root.executing) return { status: 'active', steps: root.steps };
  if (root.failure) return { status: 'failed', failure: root.failure };
  if (root.complete) return { status: 'succeeded' };
  return { status: 'waiting', resumeAt: root.resumeAt };
}

interface ScopePlan {
  steps: Step[];
  executing: boolean;
  complete: boolean;
  /** A task run that failed for good, so that nothing further starts in this scope. */
  failure: TaskRun | undefined;
  resumeAt: number;
}

class ScopePlanner {
  readonly #graph: CompiledGraph;
  readonly #taskRunsOf: TaskRunsOf;
  readonly #now: number;
  readonly #branchAfterFailure: FindBranchAfterFailure;

  constructor(
    graph: CompiledGraph,
    taskRunsOf: TaskRunsOf,
    now: number,
    branchAfterFailure: FindBranchAfterFailure,
  ) {
    this.#graph = graph;
    this.#taskRunsOf = taskRunsOf;
    this.#now = now;
    this.#branchAfterFailure = branchAfterFailure;
  }

  planScope(scope: number, iteration: string): ScopePlan {
    const plan: ScopePlan = {
      steps: [],
      executing: false,
      complete: true,
      failure: undefined,
      resumeAt: Infinity,
    };
    const starting: Step[] = [];
    const skipped = new Set<number>();
    const taskRuns = this.#taskRunsOf(iteration);
    for (const node of this.#graph.scopes.get(scope) ?? []) {
      const taskRun = taskRuns.get(node.task.id);
      if (taskRun) this.#inspect(plan, node, taskRun);
      else {
        plan.complete = false;
        const kind = this.#consider(node, taskRuns, skipped);
        if (kind) starting.push({ kind, node, iteration });
      }
    }
    plan.steps = plan.failure ? [] : [...plan.steps, ...starting];
    return plan;
  }

  #inspect(plan: ScopePlan, node: GraphNode, taskRun: TaskRun): void {
    if (taskRun.status === 'running') {
      plan.complete = false;
      if (taskRun.loop) this.#planItems(plan, node, taskRun, taskRun.loop);
      else plan.executing = true;
    } else if (taskRun.status === 'waiting') {
      plan.complete = false;
      const resumeAt = taskRun.resumeAt ?? 0;
      if (resumeAt <= this.#now) plan.steps.push({ kind: 'resume', node, taskRun });
      else plan.resumeAt = Math.min(plan.resumeAt, resumeAt);
    } else if (stopsScope(node, taskRun)) {
      plan.failure ??= taskRun;
    }
  }

  /** Of a loop that stops at a failed item nothing further starts in any item, and what executes is awaited. */
  #planItems(plan: ScopePlan, node: GraphNode, taskRun: TaskRun, loop: LoopState): void {
    const items = loop.open.map((item) => ({
      item,
      body: this.planScope(node.task.id, itemIteration(taskRun.iteration, item)),
    }));
    const stop = loop.onItemFailure === 'stop' ? items.find(({ body }) => body.failure) : undefined;
    const isExecuting = items.some(({ body }) => body.executing);
    plan.executing ||= isExecuting;
    if (stop && isExecuting) return;
    for (const { item, body } of stop ? [stop] : items) {
      plan.steps.push(...body.steps);
      if (body.executing || body.steps.length > 0) continue;
      if (body.complete || body.failure)
        plan.steps.push({ kind: 'end_item', node, taskRun, item, failure: body.failure });
      else plan.resumeAt = Math.min(plan.resumeAt, body.resumeAt);
    }
  }

  /** How a task starts that has no task run, or undefined while a parent is not settled. */
  #consider(
    node: GraphNode,
    taskRuns: ReadonlyMap<number, TaskRun>,
    skipped: Set<number>,
  ): 'skip' | 'pass_over' | 'execute' | undefined {
    let taken = node.parents.length === 0;
    for (const edge of node.parents) {
      if (entersLoop(edge)) {
        taken = true;
        continue;
      }
      if (skipped.has(edge.from)) continue;
      const parent = taskRuns.get(edge.from);
      if (!parent || isOpenTaskRun(parent.status)) return undefined;
      taken ||= this.#isTaken(edge, parent);
    }
    if (taken) return node.task.disabled ? 'pass_over' : 'execute';
    skipped.add(node.task.id);
    return 'skip';
  }

  /**
   * Whether an edge was taken by its settled parent. A failure that the run continues after leaves by the least promising
   * exit: the plain one, or the one that its type names.
   */
  #isTaken({ from, branch }: WorkflowEdge, parent: TaskRun): boolean {
    if (parent.status === 'succeeded') return branch === parent.branch;
    if (parent.status === 'skipped') return parent.branch === PASSED_OVER && branch !== FAILED_BRANCH;
    const task = this.#graph.nodes.get(from)?.task;
    if (!hasFailed(parent.status) || !task) return false;
    if (takesFailedBranch(task)) return branch === FAILED_BRANCH;
    return onFailureOf(task) === 'continue' && branch === this.#branchAfterFailure(task);
  }
}

/** Whether a task run failed for good and nothing further starts in its scope: the loop's item, or the run. */
export const stopsScope = (node: GraphNode | undefined, { status }: Pick<TaskRun, 'status'>): boolean =>
  hasFailed(status) && (node === undefined || onFailureOf(node.task) === 'stop');

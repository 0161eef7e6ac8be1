import { FAILED_BRANCH, takesFailedBranch, type WorkflowTask } from '#lib/engine/graph-types.ts';
import { entersLoop } from '#lib/engine/graph.ts';
import type { DescribeTask } from '#lib/engine/validate-graph.ts';
import { findTaskKind } from './kinds.ts';
import type { BranchColor, TaskBranch, TaskKind } from './task-kind.ts';

export interface Exit {
  /** Undefined for the plain exit. */
  branch: string | undefined;
  label: string;
  color: BranchColor;
}

const FAILED: TaskBranch = { name: FAILED_BRANCH, label: 'Failed', color: 'failed' };

type ExitTask = Pick<WorkflowTask, 'type' | 'settings'>;

/** An exit of a task by its branch; an unknown branch is labeled with its name. */
export function findExit(task: ExitTask | undefined, branch: string | undefined): Exit {
  if (branch === undefined) return { branch, label: '', color: 'plain' };
  const known = [...namedExits(task), FAILED].find(({ name }) => name === branch);
  return { branch, label: known?.label ?? branch, color: known?.color ?? 'plain' };
}

/** The exits of a task in their order; with `failed` where the task is set to take it. */
export function exitsOf(task: ExitTask & Pick<WorkflowTask, 'on_failure'>): Exit[] {
  const hasFailures = takesFailedBranch(task);
  const named = namedExits(task).filter(({ isOptional }) => isOptional !== true || hasFailures);
  const exits = named.map(({ name }) => findExit(task, name));
  if (named.every(({ isOptional }) => isOptional === true)) {
    exits.unshift({ ...findExit(task, undefined), label: hasFailures ? 'Done' : '' });
  }
  if (hasFailures) exits.push(findExit(task, FAILED_BRANCH));
  return exits;
}

function namedExits(task: ExitTask | undefined): readonly TaskBranch[] {
  const kind = task && findTaskKind(task.type);
  return kind ? branchesOf(kind, task.settings) : [];
}

/** The named exits of a task in their order; without one that is not optional it has the plain exit, too. */
export const branchesOf = (
  kind: Pick<TaskKind, 'branches' | 'branchesOf'>,
  settings: Readonly<Record<string, unknown>>,
): readonly TaskBranch[] => kind.branchesOf?.(settings) ?? kind.branches;

/** Whether a task has an exit into passes of its own. */
export const isLoop = (task: ExitTask): boolean =>
  namedExits(task).some(({ name }) => entersLoop({ branch: name }));

/** The properties of a task for validating a graph. */
export function describeForGraph(
  kind: Pick<TaskKind, 'branches' | 'branchesOf' | 'isTrigger'> | undefined,
  settings: Readonly<Record<string, unknown>>,
): ReturnType<DescribeTask> {
  return kind && { isTrigger: kind.isTrigger, branches: branchesOf(kind, settings) };
}

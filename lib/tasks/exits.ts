import { FAILED_BRANCH, takesFailedBranch, type WorkflowTask } from '#lib/engine/graph-types.ts';
import { branchesOf } from '#lib/tasks/branches-of.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import type { BranchColor, TaskBranch } from '#lib/tasks/task-kind.ts';

export interface Exit {
  /** Undefined for the one plain exit. */
  branch: string | undefined;
  label: string;
  color: BranchColor;
}

const FAILED: TaskBranch = { name: FAILED_BRANCH, label: 'Failed', color: 'failed' };

type ExitTask = Pick<WorkflowTask, 'type' | 'settings'>;

/** An exit of a task by its branch; a branch that the task does not have goes by its name. */
export function findExit(task: ExitTask | undefined, branch: string | undefined): Exit {
  if (branch === undefined) return { branch, label: '', color: 'plain' };
  const known = [...namedExits(task), FAILED].find(({ name }) => name === branch);
  return { branch, label: known?.label ?? branch, color: known?.color ?? 'plain' };
}

/** The exits of a task in their order; `failed` is there when the task is set to take it. */
export function exitsOf(task: ExitTask & Pick<WorkflowTask, 'on_failure'>): Exit[] {
  const exits = namedExits(task).map(({ name }) => findExit(task, name));
  if (exits.length === 0)
    exits.push({ ...findExit(task, undefined), label: takesFailedBranch(task) ? 'Done' : '' });
  if (takesFailedBranch(task)) exits.push(findExit(task, FAILED_BRANCH));
  return exits;
}

function namedExits(task: ExitTask | undefined): readonly TaskBranch[] {
  const kind = task && findTaskKind(task.type);
  return kind ? branchesOf(kind, task.settings) : [];
}

import { FAILED_BRANCH, type WorkflowTask } from '#lib/engine/graph-types.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import type { BranchColor, TaskBranch } from '#lib/tasks/task-kind.ts';

export interface Exit {
  /** Undefined for the one plain exit. */
  branch: string | undefined;
  label: string;
  color: BranchColor;
}

const FAILED: TaskBranch = { name: FAILED_BRANCH, label: 'Failed', color: 'failed' };

/** An exit of a task of a type by its branch; a branch that the type does not have goes by its name. */
export function findExit(type: string, branch: string | undefined): Exit {
  if (branch === undefined) return { branch, label: '', color: 'plain' };
  const known = [...(findTaskKind(type)?.branches ?? []), FAILED].find(({ name }) => name === branch);
  return { branch, label: known?.label ?? branch, color: known?.color ?? 'plain' };
}

/** The exits of a task in their order; `failed` is there when the task is set to take it. */
export function exitsOf({ type, on_failure: onFailure }: Pick<WorkflowTask, 'type' | 'on_failure'>): Exit[] {
  const branches = findTaskKind(type)?.branches ?? [];
  const exits = branches.map(({ name }) => findExit(type, name));
  if (exits.length === 0)
    exits.push({ ...findExit(type, undefined), label: onFailure === 'branch' ? 'Done' : '' });
  if (onFailure === 'branch') exits.push(findExit(type, FAILED_BRANCH));
  return exits;
}

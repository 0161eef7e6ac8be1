import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';

export interface Exit {
  /** Undefined for the one plain exit. */
  branch: string | undefined;
  label: string;
}

const LABELS: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  each: 'For each item',
  done: 'When done',
  failed: 'Failed',
};

/** What an exit is called on the screen; empty for the plain one. */
export const exitLabel = (branch: string | undefined): string =>
  branch === undefined ? '' : (LABELS[branch] ?? branch);

/** The exits of a task in their order; `failed` is there when the task is set to take it. */
export function exitsOf(task: Pick<WorkflowTask, 'type' | 'on_failure'>): Exit[] {
  const branches = findTaskKind(task.type)?.branches ?? [];
  const exits: Exit[] = branches.map((branch) => ({ branch, label: exitLabel(branch) }));
  if (exits.length === 0)
    exits.push({ branch: undefined, label: task.on_failure === 'branch' ? 'Done' : '' });
  if (task.on_failure === 'branch') exits.push({ branch: 'failed', label: exitLabel('failed') });
  return exits;
}

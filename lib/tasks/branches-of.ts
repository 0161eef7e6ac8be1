import type { DescribeTask } from '#lib/engine/validate-graph.ts';
import type { TaskBranch, TaskKind } from './task-kind.ts';

/** The named exits of a task in their order; empty for the one plain exit. */
export const branchesOf = (
  kind: Pick<TaskKind, 'branches' | 'branchesOf'>,
  settings: Readonly<Record<string, unknown>>,
): readonly TaskBranch[] => kind.branchesOf?.(settings) ?? kind.branches;

/** What a graph's validation knows of a task. */
export function describeForGraph(
  kind: Pick<TaskKind, 'branches' | 'branchesOf' | 'isTrigger'> | undefined,
  settings: Readonly<Record<string, unknown>>,
): ReturnType<DescribeTask> {
  return kind && { isTrigger: kind.isTrigger, branches: branchesOf(kind, settings) };
}

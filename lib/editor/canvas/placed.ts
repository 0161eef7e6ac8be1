import type { WorkflowTask } from '#lib/engine/graph-types.ts';

/** A task, or the lane of an edge that passes a column. */
export interface Placed {
  task: WorkflowTask | undefined;
  column: number;
  parents: Link[];
  children: Link[];
}

export interface Link {
  from: Placed;
  to: Placed;
  /** The index of the exit among those of its task. */
  exit: number;
}

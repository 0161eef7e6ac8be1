/** Each category has a title in the palette and a color in every picture of a workflow. */
export type TaskCategory = 'trigger' | 'logic' | 'data' | 'messaging';

/** The color of an edge, by what its branch means. */
export type BranchColor = 'plain' | 'positive' | 'negative' | 'repeat' | 'failed';

/** A named exit of a task. */
export interface TaskBranch {
  /** As edges name it. */
  name: string;
  label: string;
  color: BranchColor;
  /** The branch that is taken when the task failed and the run continues (`on_failure`). */
  isTakenAfterFailure?: true;
}

/** What the canvas needs to know of a task type; its settings and output are in its `TaskDefinition`. */
export interface TaskKind {
  /** Snake case, as drafts, versions and the API name it. */
  type: string;
  /** The spec's number, where it gives one. */
  typeId?: number;
  name: string;
  /** One sentence for the palette. */
  summary: string;
  category: TaskCategory;
  /** The data of an SVG path in a box of 24 × 24, stroked with a width of 2. */
  icon: string;
  isTrigger: boolean;
  /** Its named exits in their order; empty for the one plain exit. */
  branches: readonly TaskBranch[];
  /** It does nothing but wait: timelines show its time so. */
  isWait?: true;
}

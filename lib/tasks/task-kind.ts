import type { MessageStart } from '#lib/messaging/schema/subscription-kinds.ts';

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

/** One of the things that a task type does, offered under a name of its own. */
export interface KindOffer {
  name: string;
  /** One sentence for the palette. */
  summary: string;
  /** Other words that people look for it by. */
  keywords: readonly string[];
  icon: string;
  /** What a new task begins with; a task with these settings is shown as this offer. */
  settings: Readonly<Record<string, string>>;
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
  /** Its offers stand in a group of their own with this title, below the categories: they are many, or rarely needed. */
  group?: string;
  /** The data of an SVG path in a box of 24 × 24, stroked with a width of 2. */
  icon: string;
  isTrigger: boolean;
  /** Its named exits in their order; empty for the one plain exit. */
  branches: readonly TaskBranch[];
  /** The exits of a task with these settings, which may be a draft's, where they follow from them; `branches` are typical ones. */
  branchesOf?: (settings: Readonly<Record<string, unknown>>) => readonly TaskBranch[];
  /** Other words that people look for it by. */
  keywords?: readonly string[];
  /** What it is offered as, instead of under its own name; the first is what a task does that does not say. */
  offers?: readonly KindOffer[];
  /** What a new task begins with. */
  newSettings?: Readonly<Record<string, unknown>>;
  /** What a task with these settings, which may be a draft's, works on, for its card; empty where there is nothing yet. */
  describe?: (settings: Readonly<Record<string, unknown>>) => string;
  /** Whom a task with these settings sends a message to, a variable text; undefined: it sends none. */
  recipientOf?: (settings: Readonly<Record<string, unknown>>) => string | undefined;
  /** It does next to nothing but wait: timelines show its time so. */
  isWait?: true;
  /**
   * Its run waits here for time or for somebody, always or with these settings: a caller who waits for the run is answered
   * when it is reached.
   */
  waits?: true | ((settings: Readonly<Record<string, unknown>>) => boolean);
  /** Of a trigger: whether messages start the workflow, even if it does not say yet which ones. */
  startsOnMessages?: (settings: Readonly<Record<string, unknown>>) => boolean;
  /** Of a trigger: which messages start the workflow; null: none do. */
  messageStart?: (settings: Readonly<Record<string, unknown>>) => MessageStart | null;
  /** Of a trigger: whether its caller is answered after the run. */
  answersAfterRun?: (settings: Readonly<Record<string, unknown>>) => boolean;
}

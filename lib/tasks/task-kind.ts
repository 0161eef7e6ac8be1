import type { ScheduleStart } from '#lib/engine/schedule-start.ts';
import type { Operator } from './conditions/operators.ts';
import type { MessageStart } from '#lib/messaging/schema/subscription-kinds.ts';

/** Each category has a title in the palette and a color in every picture of a workflow. */
export type TaskCategory = 'trigger' | 'logic' | 'data' | 'messaging';

/** The color of an edge, by what its branch means. */
export type BranchColor = 'plain' | 'positive' | 'negative' | 'repeat' | 'failed';

/** A named exit of a task. */
export interface TaskBranch {
  /** Its branch in edges. */
  name: string;
  label: string;
  color: BranchColor;
  /** The branch that is taken when the task failed and the run continues (`on_failure`). */
  isTakenAfterFailure?: true;
  /**
   * Of a kind of failure: only where the task has the branch for failures, too (`takesFailedBranch`). Where nothing is connected to
   * it, the task fails instead (`TaskContext.hasExit`). A task whose exits are all of this kind has its plain exit, too.
   */
  isOptional?: true;
}

/** A comparison in the settings of a task. */
interface StoredCondition {
  left: string;
  operator: Operator;
  right: string | boolean;
}

/** One action of a task type, offered under its own name. */
export interface KindOffer {
  name: string;
  /** One sentence for the palette. */
  summary: string;
  /** Further search terms. */
  keywords: readonly string[];
  icon: string;
  /** Initial settings of a new task; a task with these settings is shown as this offer. */
  settings: Readonly<Record<string, string>>;
}

/** A step towards the first run of a workflow, and what helps with it. */
export interface FirstStep {
  text: string;
  action: 'open_trigger' | 'copy_test_url' | 'open_phone';
  /** @param hasSample whether an event gives the variables values */
  isDone: (settings: Readonly<Record<string, unknown>>, hasSample: boolean) => boolean;
}

/** How a trigger is selected, and how people start a workflow with it. The URLs of a workflow work whatever its trigger is. */
export interface TriggerWords {
  /** Its name where one of the triggers is selected. */
  label: string;
  /** What people do to start the workflow; `none`: it starts on its own. */
  startedBy: 'requests' | 'messages' | 'none';
  /** Before the workflow has other tasks. */
  firstSteps: readonly FirstStep[];
  /** What happens after publishing, in one sentence. */
  whenPublished: string;
}

/** The properties of a task type for the canvas; its settings and output are in its `TaskDefinition`. */
export interface TaskKind {
  /** Snake case, as in drafts, versions and the API. */
  type: string;
  /** The spec's number, where it gives one. */
  typeId?: number;
  name: string;
  /** One sentence for the palette. */
  summary: string;
  category: TaskCategory;
  /** Title of a separate group for its offers, below the categories: they are many, or rarely needed. */
  group?: string;
  /** The data of an SVG path in a box of 24 × 24, stroked with a width of 2. */
  icon: string;
  isTrigger: boolean;
  /** Its named exits in their order; empty for the one plain exit. */
  branches: readonly TaskBranch[];
  /** The exits of a task with these settings, which may be a draft's, where they depend on them; `branches` are typical ones. */
  branchesOf?: (settings: Readonly<Record<string, unknown>>) => readonly TaskBranch[];
  /** Further search terms. */
  keywords?: readonly string[];
  /** Its offers, in place of its own name; the first is the default. */
  offers?: readonly KindOffer[];
  /** Initial settings of a new task. */
  newSettings?: Readonly<Record<string, unknown>>;
  /** The object of a task with these settings (possibly a draft's), for its card; empty: none yet. */
  describe?: (settings: Readonly<Record<string, unknown>>) => string;
  /** The id of the workflow that a task with these settings calls; undefined: it calls none. */
  calls?: (settings: Readonly<Record<string, unknown>>) => string | undefined;
  /** The recipient of the messages of a task with these settings, as a variable text; undefined: it sends none. */
  recipientOf?: (settings: Readonly<Record<string, unknown>>) => string | undefined;
  /**
   * It can repeat what it does where it would leave by this exit, which the editor offers for an edge from there back to it: the
   * settings that do so, and the field to fill in.
   */
  repeatsItself?: {
    branch: string;
    label: string;
    summary: string;
    field: string;
    turnOn: (settings: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  };
  /** A condition that is met where a task does not leave by an exit; undefined: none can be said. */
  conditionUnless?: (
    task: { id: number; settings: Readonly<Record<string, unknown>> },
    branch: string | undefined,
  ) => StoredCondition | undefined;
  /** For the loop that is repeated until a condition is met: its settings, and its exit then. */
  loopUntil?: { done: string; settings: (until: StoredCondition | undefined) => Record<string, unknown> };
  /** For a loop: what a page calls one of its items. */
  itemName?: (settings: Readonly<Record<string, unknown>>) => string;
  /** It mostly waits: timelines show its time as waiting. */
  isWait?: true;
  /**
   * The run waits here for a time or for a person, always or with these settings: a waiting caller is answered when the task is
   * reached.
   */
  waits?: true | ((settings: Readonly<Record<string, unknown>>) => boolean);
  /** For a trigger, always. */
  trigger?: TriggerWords;
  /** For a trigger: which messages start the workflow; null: none do. */
  messageStart?: (settings: Readonly<Record<string, unknown>>) => MessageStart | null;
  /** For a trigger: when the workflow starts on its own; null: it does not. */
  schedule?: (settings: Readonly<Record<string, unknown>>) => ScheduleStart | null;
  /** For a trigger: whether several webhooks may become one run, which `WEBHOOKS` lists. */
  collectsWebhooks?: (settings: Readonly<Record<string, unknown>>) => boolean;
  /** For a trigger: whether its caller is answered after the run. */
  answersAfterRun?: (settings: Readonly<Record<string, unknown>>) => boolean;
  /**
   * A task of an older shape, as drafts, exports and API clients may have it, in the shape of today; undefined: it has it. Its id,
   * name and edges stay (`toCurrentTasks`).
   */
  toCurrentShape?: (
    settings: Readonly<Record<string, unknown>>,
  ) => { type: string; settings: Readonly<Record<string, unknown>> } | undefined;
}

// A workflow as a row of the list on the screen.
import type { RunStatus } from '#lib/engine/run-types.ts';
import type { Silence } from './silences.ts';

/** Failed runs are only counted up to here: a workflow that fails all the time must not make the list slow. */
export const MAX_FAILURES_COUNTED = 20;

/** Failed runs of a workflow since a user last viewed them. */
export interface Failures {
  /** Up to `MAX_FAILURES_COUNTED`. */
  count: number;
  /** The newest run that failed. */
  runId: string;
  /** Why its first failed task failed. */
  reason: string;
  /** Advice for fixing it. */
  advice: string;
  /** The failed task's name in the draft; null where the run as a whole failed, or the task was removed. */
  taskName: string | null;
}

/** Rows of the list that are loaded before scrolling. */
export const ROWS_A_PAGE = 50;

/** Today's runs are only counted up to here: a busy workflow must not make the list slow. */
export const MAX_RUNS_COUNTED = 1000;

/** A published workflow whose runs fail: the first problem to fix, and where. */
export interface BrokenWorkflow {
  taskId: number;
  taskName: string;
  message: string;
  count: number;
}

export interface WorkflowRow {
  id: string;
  name: string;
  /** Null while it is not published. */
  publishedVersion: number | null;
  active: boolean;
  /** While it is paused, its runs wait. */
  holdsRuns?: boolean | undefined;
  /** ISO 8601: when its schedule starts it next; null: none does. */
  nextStartAt?: string | null | undefined;
  hasUnpublishedChanges: boolean;
  taskCount: number;
  tags: readonly string[];
  /** ISO 8601. */
  updatedAt: string;
  lastRun: { id: string; status: RunStatus; createdAt: string } | null;
  /** Since midnight in the workspace's zone, up to `MAX_RUNS_COUNTED`. */
  runsToday: number;
  /** The problem of the published version as of the last check with the platform; null: none known. */
  broken: BrokenWorkflow | null;
  /** Only on the list of workflows. */
  silence?: Silence | undefined;
  failures?: Failures | undefined;
  /** Why a search found it, unless by its name or tags. */
  foundBy?: FoundWorkflow | undefined;
}

/** A page of the list. */
export interface WorkflowPage {
  data: WorkflowRow[];
  /** Null on the last page. */
  next_cursor: string | null;
  /** Number of matching workflows, and of all. */
  matching: number;
  total: number;
  /** Of all workflows. */
  tags: string[];
}

/** A workflow that a search found by something other than its name. */
export interface FoundWorkflow {
  id: string;
  /** At most three names of tasks that contain the text. */
  tasks: string[];
  /** Whether the text is its token or one of its URLs. */
  isItsUrl: boolean;
}

// A workflow as a row of the list on the screen.
import type { RunStatus } from '#lib/engine/run-types.ts';
import type { Failures } from './failures/failure-types.ts';
import type { Silence } from './silence-types.ts';

/** Rows of the list on the screen that are there before one scrolls. */
export const ROWS_A_PAGE = 50;

/** Above it the number of today's runs is not counted exactly: a busy workflow must not make the list slow. */
export const MAX_RUNS_COUNTED = 1000;

/** A published workflow whose runs fail: the first thing to fix, and where. */
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
  hasUnpublishedChanges: boolean;
  taskCount: number;
  tags: readonly string[];
  /** ISO 8601. */
  updatedAt: string;
  lastRun: { id: string; status: RunStatus; createdAt: string } | null;
  /** Since midnight UTC, up to `MAX_RUNS_COUNTED`. */
  runsToday: number;
  /** What fails in the published version, as the platform said when it was last checked; null: nothing known. */
  broken: BrokenWorkflow | null;
  /** Only on the list of workflows. */
  silence?: Silence | undefined;
  failures?: Failures | undefined;
  /** Why a search found it, where its name and tags need not say. */
  foundBy?: FoundWorkflow | undefined;
}

/** A page of the list. */
export interface WorkflowPage {
  data: WorkflowRow[];
  /** Null on the last page. */
  next_cursor: string | null;
  /** How many workflows match, and how many there are. */
  matching: number;
  total: number;
  /** Of all workflows. */
  tags: string[];
}

/** A workflow that a search found by more than its name. */
export interface FoundWorkflow {
  id: string;
  /** Names of tasks that have the text, at most three. */
  tasks: string[];
  /** Whether the text is a token or a URL of it. */
  isItsUrl: boolean;
}

// The rows that the engine's statements read and write, as in PostgreSQL. Instants are milliseconds since 1970.
import type { WaitRule } from '#lib/engine/run-types.ts';

export interface WorkflowRow {
  id: string;
  workspace_id: string;
  published_version: number;
  trigger_task_id: number;
  answers_after_run: boolean;
  max_concurrent_runs: number | null;
  holds_runs: boolean;
  /** JSON text of the published version's graph. */
  graph: string;
}

export interface EventRow {
  headers: unknown;
  body: string;
}

export interface RunRow {
  id: string;
  workspace_id: string;
  workflow_id: string;
  version: number;
  event_id: string;
  status: string;
  epoch: number;
  worker_id: string | null;
  last_statement: number;
  line: string | null;
  awaited: boolean;
  answer: unknown;
  error: unknown;
  resume_at: number | null;
  finished_at: number | null;
}

export interface TaskRunRow {
  task_id: number;
  iteration: string;
  status: string;
  branch: string | null;
  run_text: string | null;
  output: string | null;
  error: unknown;
  attempt: number;
  attempts: unknown;
  state: string | null;
  items: string | null;
  started_at: number | null;
  finished_at: number | null;
  resume_at: number | null;
}

export interface JobRow {
  id: string;
  task: string;
  payload: unknown;
  priority: number;
  run_at: number;
  attempts: number;
  locked_by: string | null;
  locked_at: number | null;
}

export interface ProcessRow {
  id: string;
  job_pool_id: string | null;
  heartbeat_at: number;
}

export interface ClaimRow {
  worker_id: string;
  epoch: number;
}

/** A run that has not ended, of a line: rows are in its order. */
export interface LineRow {
  run_id: string;
  line: string;
  has_turn: boolean;
}

/** A run at the gate of its workflow: rows are in its order. */
export interface GateRow {
  run_id: string;
  workflow_id: string;
  is_through: boolean;
}

/** A run at the gate of its workspace: rows are in its order. */
export interface WorkspaceGateRow {
  run_id: string;
  workspace_id: string;
  is_through: boolean;
}

/** For the invariants: when a run of a line, or of a gate, was stored, was executed first and ended. Ordinal numbers of one sequence. */
export interface LineTimes {
  line: string;
  workflowId: string;
  isGated: boolean;
  /** Whose gate it entered. */
  workspaceId?: string;
  /** Of how many runs the places had been lent at once by the time it began, at most. */
  lentAtMost?: number;
  storedAt: number;
  begunAt?: number;
  endedAt?: number;
}

export interface WaitRow {
  id: string;
  workspace_id: string;
  key: string;
  run_id: string;
  task_id: number;
  iteration: string;
  rule: WaitRule;
  quiet_ms: number;
  opened_at: number;
  is_open: boolean;
  due_at: number | null;
  signals: string[];
}

/** A run that a task of another one called. */
export interface CallRow {
  caller_run_id: string;
  task_id: number;
  iteration: string;
  is_awaited: boolean;
  lender_run_id: string | null;
}

/** A signal that reached the wait of a task run. */
export interface Delivery extends Pick<WaitRow, 'run_id' | 'task_id' | 'iteration' | 'rule'> {
  signal: string;
}

export class Tables {
  /** By the hexadecimal hash of their token. */
  readonly workflows = new Map<string, WorkflowRow>();
  readonly events = new Map<string, EventRow>();
  readonly runs = new Map<string, RunRow>();
  /** By run, then by task and iteration. */
  readonly taskRuns = new Map<string, Map<string, TaskRunRow>>();
  readonly jobs = new Map<string, JobRow>();
  /** By run. */
  readonly claims = new Map<string, ClaimRow>();
  readonly processes = new Map<string, ProcessRow>();
  readonly waits = new Map<string, WaitRow>();
  /** By the called run. */
  readonly calls = new Map<string, CallRow>();
  readonly usedSignals = new Set<string>();
  /** For the invariants. */
  readonly deliveries: Delivery[] = [];
  jobsMade = 0;
  /** By run, in the order of their places. */
  readonly lines = new Map<string, LineRow>();
  /** By run, in the order of their places. */
  readonly gates = new Map<string, GateRow>();
  /** How many runs a workspace executes at once, where it has a limit. */
  readonly limits = new Map<string, number>();
  /** By run, in the order of their places. */
  readonly workspaceGates = new Map<string, WorkspaceGateRow>();
  /** For the invariants. */
  lentAtMost = 0;
  /** For the invariants: each limit that was set, Infinity: none, from an ordinal number on. */
  readonly limitsSet: { workspaceId: string; most: number; from: number }[] = [];
  /** Ordinal numbers of the moments at which a workflow holds its runs, and continues with them. */
  readonly holds: { workflowId: string; from: number; to: number }[] = [];
  /** By run. */
  readonly lineTimes = new Map<string, LineTimes>();
  #moments = 0;

  /** Notes what happened to a run of a line. */
  noteTime(runId: string, what: 'begunAt' | 'endedAt'): void {
    const times = this.lineTimes.get(runId);
    if (!times) return;
    times[what] ??= this.nextMoment();
    times.lentAtMost ??= this.lentAtMost;
  }

  readonly nextMoment = (): number => (this.#moments += 1);

  taskRunsOf(runId: string): Map<string, TaskRunRow> {
    const found = this.taskRuns.get(runId) ?? new Map<string, TaskRunRow>();
    this.taskRuns.set(runId, found);
    return found;
  }
}

export const taskRunKey = (taskId: number, iteration: string): string => `${taskId}@${iteration}`;

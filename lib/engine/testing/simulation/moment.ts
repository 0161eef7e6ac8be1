import type { Tables, TaskRunRow } from './tables.ts';

/** Protections that a test removes, to verify that the simulation finds the defect. */
export type Sabotage =
  | 'epochs'
  | 'late_takes'
  | 'late_writes'
  | 'untaken'
  | 'side_effects'
  | 'heartbeats'
  | 'giving_back'
  | 'claims'
  | 'unclaimed'
  | 'unlocking'
  | 'wakes'
  | 'closing'
  | 'copies'
  | 'turns'
  | 'entering'
  | 'leaving'
  | 'gates'
  | 'gate_leaving'
  | 'workspace_gates'
  | 'workspace_gate_leaving';

/** The state on which a statement is executed. */
export interface Moment {
  tables: Tables;
  nowMs: number;
  /** One of the engine's, or of the model's. */
  sabotage: string | undefined;
  /** Called for every change of a task run's status. */
  onTaskRun: (runId: string, before: TaskRunRow | undefined, after: TaskRunRow) => void;
  /** Notifies listeners of new jobs. */
  notify: () => void;
  /** Changes tables: at once, or when the statement's transaction is committed. */
  write: (apply: (atMs: number) => void) => void;
}

export type Row = Record<string, unknown>;

/** A statement that is sent with these values. */
export type Statement<Values extends readonly unknown[]> = (moment: Moment, values: Values) => Row[];

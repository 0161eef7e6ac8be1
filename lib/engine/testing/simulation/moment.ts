import type { Tables, TaskRunRow } from './tables.ts';

/** Protections that a test takes out, to see that the simulation finds it. */
export type Sabotage =
  | 'epochs'
  | 'late_takes'
  | 'late_writes'
  | 'side_effects'
  | 'heartbeats'
  | 'giving_back'
  | 'claims'
  | 'unclaimed'
  | 'unlocking'
  | 'wakes'
  | 'closing'
  | 'copies';

/** What a statement is executed on. */
export interface Moment {
  tables: Tables;
  nowMs: number;
  sabotage: Sabotage | undefined;
  /** Told of every change of a task run's status. */
  onTaskRun: (runId: string, before: TaskRunRow | undefined, after: TaskRunRow) => void;
  /** Tells those who listen that there are new jobs. */
  notify: () => void;
}

export type Row = Record<string, unknown>;

/** A statement that is sent with these values. */
export type Statement<Values extends readonly unknown[]> = (moment: Moment, values: Values) => Row[];

// What a simulation has besides the engine: tasks whose statements are not the engine's, and others who change what they read.
import type { Pool } from '#lib/core/db/client.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { FindExecutor } from '#lib/engine/task-executor.ts';
import type { Random } from '#lib/testing/random.ts';
import type { Statement } from './moment.ts';
import type { Schedule } from './schedule.ts';
import type { Tables, TaskRunRow } from './tables.ts';
import type { Platform } from './tasks.ts';
import type { FindRows } from './transactions.ts';
import type { SimulatedProcess, World } from './world.ts';

export interface ModelStatements {
  statements: Record<string, Statement<never>>;
  /** The rows that they change or wait for. */
  rows: Record<string, FindRows>;
  /** The name of a statement that is sent without one. */
  findName: (text: string) => string | undefined;
}

/** Where a model plays. */
export interface Stage {
  schedule: Schedule;
  world: World;
  workspaceId: string;
  openPool: (owner: SimulatedProcess) => Pool;
  tables: Tables;
  platform: Platform;
}

export interface Model {
  /** @param number of the workflow, from 0 */
  makeWorkflow: (random: Random, number: number) => WorkflowGraph;
  /** Of one worker. */
  createExecutors: (pool: Pool) => FindExecutor;
  /** Called for every change of a task run's status. */
  onTaskRun: (runId: string, after: TaskRunRow) => void;
  /** Begins to do what others do besides. */
  start: () => void;
  /** Whether they are done. */
  isOver: () => boolean;
  findViolations: () => string[];
}

export interface ModelKind extends ModelStatements {
  makeSchedule: (seed: number) => Schedule;
  /** Makes it for one simulation. */
  create: (stage: Stage) => Model;
}

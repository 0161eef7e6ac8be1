// An example of a task type in its documentation (docs/task-types.md): checked against its settings, and run by a test.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';

/** Stands for the id of a connection, which is different in each installation. */
export const EXAMPLE_CONNECTION = '01a1f8bf-49ec-73e4-832a-b4f71eb78202';

export interface TaskExample {
  /** What it does, in one sentence. */
  says: string;
  /** What starts the workflow. */
  event: Readonly<Record<string, unknown>>;
  /** Between the trigger, task 1, and the task itself, in their order. */
  before?: readonly Pick<WorkflowTask, 'id' | 'type' | 'name' | 'settings'>[];
  settings: Readonly<Record<string, unknown>>;
  /** What the customer or the person with the link does while the run waits. */
  meanwhile?: { approves: true } | { taps: string };
  /** `…` stands for what is different each time. Of a trigger: what the caller gets. */
  output: Readonly<Record<string, unknown>>;
}

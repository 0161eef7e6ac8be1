// An example of a task type in its documentation (docs/task-types.md): checked against its settings, and run by a test.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';

/** Replaces the id of a connection, which differs between installations. */
export const EXAMPLE_CONNECTION = '01a1f8bf-49ec-73e4-832a-b4f71eb78202';

/** Replaces the id of a workflow that stores `Hi {{task_1_name}}!` as `greeting`. */
export const EXAMPLE_WORKFLOW = '01a1f8bf-49ec-73e4-832a-b4f71eb78203';

export interface TaskExample {
  /** Its purpose, in one sentence. */
  says: string;
  /** The event that starts the workflow. */
  event: Readonly<Record<string, unknown>>;
  /** Between the trigger, task 1, and the task itself, in their order. */
  before?: readonly Pick<WorkflowTask, 'id' | 'type' | 'name' | 'settings'>[];
  settings: Readonly<Record<string, unknown>>;
  /** The action of the customer or the approver while the run waits. */
  meanwhile?: { approves: true } | { taps: string };
  /** `…` replaces varying parts. For a trigger: the caller's response. */
  output: Readonly<Record<string, unknown>>;
}

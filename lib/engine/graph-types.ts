// The shape of a workflow as it is stored in drafts and versions.

/** What happens after a task failed for good: the run fails, its children run anyway, or its `failed` branch is taken. */
export type OnFailure = 'stop' | 'continue' | 'branch';

/** The handling of a side effect that was in flight during a crash: its outcome becomes unknown, or it is repeated. */
export type IfInterrupted = 'flag' | 'retry';

/** The branch of a loop that leads to the tasks that run once for each item. */
export const EACH_BRANCH = 'each';
/** The branch of a loop that is taken after its last item, or as its condition holds. */
export const DONE_BRANCH = 'done';
/** The branch of a loop that is taken after its last pass, where its condition does not hold. */
export const LIMIT_BRANCH = 'limit';
/** The branch that a task has besides those of its type where `takesFailedBranch` says so. */
export const FAILED_BRANCH = 'failed';

export interface WorkflowTask {
  id: number;
  type: string;
  name: string;
  settings: Record<string, unknown>;
  on_failure?: OnFailure | undefined;
  if_interrupted?: IfInterrupted | undefined;
  /** Maximum number of attempts, when the error allows retries. */
  max_attempts?: number | undefined;
  /** A disabled task is passed over: its children run as if it had succeeded without output. */
  disabled?: boolean | undefined;
  position?: { x: number; y: number } | undefined;
}

export interface WorkflowEdge {
  from: number;
  to: number;
  branch?: string | undefined;
}

export interface WorkflowNote {
  id: string;
  text: string;
  position: { x: number; y: number };
}

export interface WorkflowGraph {
  tasks: WorkflowTask[];
  edges: WorkflowEdge[];
  notes?: WorkflowNote[] | undefined;
}

type FailurePolicy = Pick<WorkflowTask, 'on_failure'>;

export const onFailureOf = (task: FailurePolicy): OnFailure => task.on_failure ?? 'stop';

/** Whether a task has the branch `failed`, which its failures leave by. */
export const takesFailedBranch = (task: FailurePolicy): boolean => onFailureOf(task) === 'branch';

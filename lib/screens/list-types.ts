// What lists of runs and of events have in common. Instants are ISO 8601.
export interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
  /** Not null: the search stopped there for now, and `next_cursor` continues with it. */
  searched_to: string | null;
}

/** A workflow as filters and rows name it. */
export interface NamedWorkflow {
  id: string;
  name: string;
}

/** What a row's workflow is called, which may be deleted. */
export interface WorkflowOfRow {
  workflowId: string | null;
  /** Null: none, or nothing is known of it any more. */
  workflowName: string | null;
  isWorkflowDeleted: boolean;
}

/** How something that was done to many turned out, one by one. */
export interface BulkOutcome {
  id: string;
  /** Null: done. */
  problem: string | null;
}

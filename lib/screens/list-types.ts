// Shared by the lists of runs and of events. Instants are ISO 8601.
export interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
  /** Not null: the search paused there, and `next_cursor` continues it. */
  searched_to: string | null;
  /** A text was searched with the full-text index. */
  full_text?: boolean;
}

/** A workflow in filters and rows. */
export interface NamedWorkflow {
  id: string;
  name: string;
}

/** The name of a row's workflow, which may be deleted. */
export interface WorkflowOfRow {
  workflowId: string | null;
  /** Null: none, or its name is unknown. */
  workflowName: string | null;
  isWorkflowDeleted: boolean;
}

/** The outcome of a bulk action for one item. */
export interface BulkOutcome {
  id: string;
  /** Null: done. */
  problem: string | null;
}

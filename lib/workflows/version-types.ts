/** A published version, as the history lists it. */
export interface WorkflowVersion {
  version: number;
  /** The workflow's name then. */
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** An email address, or through which API key. */
  author: string;
  taskCount: number;
}

/** A published version, as the history lists it. */
export interface WorkflowVersion {
  version: number;
  /** The workflow's name at that time. */
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** An email address, or the name of an API key. */
  author: string;
  taskCount: number;
}

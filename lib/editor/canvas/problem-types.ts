export interface CanvasProblem {
  /** Undefined for a problem of the whole workflow. */
  taskId: number | undefined;
  /** As in `settings.conditions[0].left`; undefined for a problem of the whole task. */
  field: string | undefined;
  message: string;
  /** The unknown variable that caused the problem. */
  variable?: string;
  /** Errors prevent publishing; warnings mean that something will be empty. */
  severity: 'error' | 'warning';
}

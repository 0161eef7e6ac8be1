export interface CanvasProblem {
  /** Undefined when it concerns the whole workflow. */
  taskId: number | undefined;
  /** As in `settings.conditions[0].left`; undefined when it concerns the task as a whole. */
  field: string | undefined;
  message: string;
  /** The variable that it is about: nothing provides it. */
  variable?: string;
  /** Errors keep a draft from being published; warnings say that something will be empty. */
  severity: 'error' | 'warning';
}

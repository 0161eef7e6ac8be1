/** Differences between the events' bodies and what a workflow's tasks expect. */
export interface PayloadDrift {
  /** Number of the newest events that were examined. */
  events: number;
  findings: DriftFinding[];
}

export interface DriftFinding {
  /** The field's variable without the trigger's name. */
  label: string;
  /** Number of events in which it is missing, null or an empty text. */
  missing: number;
  /** Types of values in the events that have it, most frequent first; one when all are equal. */
  kinds: { kind: ValueKind; events: number }[];
  tasks: { id: number; name: string }[];
  /** Only the published version uses it, not the draft. */
  isMended: boolean;
}

export type ValueKind = 'text' | 'number' | 'yes/no' | 'list' | 'object';

/** How the events' bodies differ from what a workflow's tasks expect. */
export interface PayloadDrift {
  /** How many of the newest events were looked at. */
  events: number;
  findings: DriftFinding[];
}

export interface DriftFinding {
  /** The field, as it stands between braces without the trigger's name. */
  label: string;
  /** In how many events it is missing, null or empty text. */
  missing: number;
  /** Kinds of values in the events that have it, the most frequent first; one when they are all alike. */
  kinds: { kind: ValueKind; events: number }[];
  tasks: { id: number; name: string }[];
  /** The draft needs it no longer: only the published version does. */
  isMended: boolean;
}

export type ValueKind = 'text' | 'number' | 'yes/no' | 'list' | 'object';

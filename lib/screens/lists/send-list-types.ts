// A list of recipients as its page shows it. Instants are ISO 8601.
import type { List, RowState, SkipReason } from '#lib/lists/schema.ts';

export interface SendListView {
  list: List;
  workflowName: string;
  columns: readonly ListColumn[];
  /** Fields that the workflow uses and no column fills. */
  unfilled: readonly string[];
  skipped: readonly SkippedRows[];
  /** Only before the start. */
  plan: ListPlan | null;
  /** When the last row starts, if it runs; null: unknown, or nothing is left to start. */
  endsAt: string | null;
}

export interface SendListRow {
  line: number;
  /** The number, or where it is not valid, what the file has. */
  recipient: string;
  state: RowState;
  skipped: SkipReason | null;
  runId: string | null;
}

export interface ListColumn {
  name: string;
  /** The first value that is not empty. */
  sample: string;
}

export interface SkippedRows {
  reason: SkipReason;
  count: number;
  /** The first ones. */
  examples: readonly { line: number; value: string }[];
}

export interface ListPlan {
  people: number;
  messages: readonly { category: string | null; count: number; cost: string | null }[];
  currency: string;
  /** Null: unlimited or unknown. */
  tierLeft: number | null;
  phones: readonly PhoneOfRow[];
}

/** The first messages of one row. */
export interface PhoneOfRow {
  line: number;
  recipient: string;
  messages: readonly PhoneMessage[];
}

export interface PhoneMessage {
  taskId: number;
  taskName: string;
  /** The message, as JSON; null: it would fail. */
  captured: string | null;
  /** Why it would fail. */
  problem: string | null;
}

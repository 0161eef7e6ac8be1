// Shared by the lists of runs and of events. Instants are ISO 8601.
import type { HelpPageName } from '#components/help/help-link.tsx';
import type { ReactNode } from 'react';
import type { BulkOutcome, WorkflowOfRow } from '#lib/screens/list-types.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface ListRow extends WorkflowOfRow {
  id: string;
}

export type BulkAction = (input: { ids: string[]; repeat?: true }) => Promise<ActionResult<BulkOutcome[]>>;

/** Items that a bulk action would process a second time: selected separately, after showing the effects. */
export interface BulkRepeat<Row> {
  isRepeat: (row: Row) => boolean;
  /** "Also replay 3 events that already ran" */
  label: (count: number) => string;
  /** Explains what is repeated. */
  explain: (ids: readonly string[]) => Promise<string>;
}

/** All matching items, from the server. */
export interface FoundAll {
  ids: string[];
  /** They would be processed a second time. */
  repeatIds: string[];
  /** Effects, one sentence each. */
  words: string[];
}

/** A bulk action for the selected rows, or for all matching. */
export interface BulkKind<Row> {
  icon: ReactNode;
  /** The rest of the button's label after "Retry": "selected" or "all matching failed runs". */
  verb: string;
  allWords: string;
  isPossible: (row: Row) => boolean;
  repeat?: BulkRepeat<Row>;
  /** Finds all matching items on the server, with the effects; left out: possible rows of all pages. */
  findAll?: (filter: Record<string, string>) => Promise<ActionResult<FoundAll>>;
  /** Without this filter, "all matching" is limited to it. */
  narrowed?: Readonly<Record<string, string>>;
  /** "replayed", as in "3 replayed, 34 couldn't be replayed". */
  done: string;
  /** Processes in order of arrival. */
  oldestFirst?: boolean;
  title: string;
  /** Effect on each item. */
  description: string;
  danger?: boolean;
  /** Why nothing may match. */
  emptyText: string;
  act: BulkAction;
}

interface Column<Row> {
  title: string;
  className: string;
  cell: (row: Row, workflowName: string) => ReactNode;
}

/** The differences between a list of runs and a list of events. */
export interface ListKind<Row extends ListRow> {
  /** "run", as in "3 runs". */
  noun: string;
  title: string;
  /** A record is at `/runs/<id>`, pages of the list are at `/runs/list`. */
  path: string;
  icon: ReactNode;
  state: {
    /** Name of the URL parameter. */
    name: string;
    label: string;
    any: string;
    options: readonly { value: string; label: string }[];
    cell: (row: Row) => ReactNode;
  };
  /** Name of a row without a workflow. */
  nameOf?: (row: Row) => string;
  arrivedAt: (row: Row) => string;
  /** After the workflow's name. */
  marks: (row: Row) => ReactNode;
  /** Below it. */
  notes: (row: Row) => ReactNode;
  columns: readonly Column<Row>[];
  /** Rows with the same key are shown as one until it is opened. */
  group?: {
    /** Null: the row is not gathered. */
    keyOf: (row: Row) => string | null;
    title: string;
    /** "3 receipts" */
    count: (rows: number) => string;
    /** Below the title. */
    notes: (newest: Row) => ReactNode;
  };
  /** For an empty list without filters: what to do next. */
  empty: { title: string; text: string; help: { page: HelpPageName; label: string } };
}

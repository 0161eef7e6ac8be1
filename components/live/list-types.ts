// What lists of runs and of events have in common. Instants are ISO 8601.
import type { HelpPageName } from '#components/help/help-pages.ts';
import type { ReactNode } from 'react';
import type { BulkOutcome, WorkflowOfRow } from '#lib/screens/list-types.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface ListRow extends WorkflowOfRow {
  id: string;
}

export type BulkAction = (input: { ids: string[]; repeat?: true }) => Promise<ActionResult<BulkOutcome[]>>;

/** What would be done to some rows a second time: that is chosen apart, after being told what it means. */
export interface BulkRepeat<Row> {
  isRepeat: (row: Row) => boolean;
  /** "Also replay 3 events that already ran" */
  label: (count: number) => string;
  /** Says what happens again. */
  explain: (ids: readonly string[]) => Promise<string>;
}

/** All matching, as the server found them. */
export interface FoundAll {
  ids: string[];
  /** It would be done to these a second time. */
  repeatIds: string[];
  /** What would happen, a sentence each. */
  words: string[];
}

/** Something that can be done to the chosen rows, or to all matching. */
export interface BulkKind<Row> {
  icon: ReactNode;
  /** What the button says after "Retry": "selected" or "all matching failed runs". */
  verb: string;
  allWords: string;
  isPossible: (row: Row) => boolean;
  repeat?: BulkRepeat<Row>;
  /** Finds all matching on the server, which says what would happen; left out: the rows of all pages that are possible. */
  findAll?: (filter: Record<string, string>) => Promise<ActionResult<FoundAll>>;
  /** While nothing else is chosen for it, "all matching" are these only. */
  narrowed?: Readonly<Record<string, string>>;
  /** "replayed", as in "3 replayed, 34 couldn't be replayed". */
  done: string;
  /** The oldest first, as they came. */
  oldestFirst?: boolean;
  title: string;
  /** What will happen to each. */
  description: string;
  danger?: boolean;
  /** Nothing matches: why that may be. */
  emptyText: string;
  act: BulkAction;
}

interface Column<Row> {
  title: string;
  className: string;
  cell: (row: Row, workflowName: string) => ReactNode;
}

/** All in which a list of runs differs from a list of events. */
export interface ListKind<Row extends ListRow> {
  /** "run", as in "3 runs". */
  noun: string;
  title: string;
  /** A record is at `/runs/<id>`, the pages of the list at `/runs/list`. */
  path: string;
  icon: ReactNode;
  state: {
    /** In the address. */
    name: string;
    label: string;
    any: string;
    options: readonly { value: string; label: string }[];
    cell: (row: Row) => ReactNode;
  };
  /** What a row without a workflow is called. */
  nameOf?: (row: Row) => string;
  arrivedAt: (row: Row) => string;
  /** Behind the workflow's name. */
  marks: (row: Row) => ReactNode;
  /** Below it. */
  notes: (row: Row) => ReactNode;
  columns: readonly Column<Row>[];
  /** Nothing has ever been there: what to do next. */
  empty: { title: string; text: string; help: { page: HelpPageName; label: string } };
}

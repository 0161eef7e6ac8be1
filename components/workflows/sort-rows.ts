import type { WorkflowRow } from '#lib/workflows/row-schema.ts';

export const SORT_ORDERS = ['changed', 'name', 'last_run', 'runs_today'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const SORT_LABELS: Readonly<Record<SortOrder, string>> = {
  changed: 'Last changed',
  name: 'Name',
  last_run: 'Last run',
  runs_today: 'Runs today',
};

const text = (value: string | undefined): string => value ?? '';
const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const TAGS = new Intl.Collator('en', { numeric: true });
const byName = (a: WorkflowRow, b: WorkflowRow): number => NAMES.compare(a.name, b.name);

const COMPARE: Readonly<Record<SortOrder, (a: WorkflowRow, b: WorkflowRow) => number>> = {
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
  name: byName,
  last_run: (a, b) => text(b.lastRun?.createdAt).localeCompare(text(a.lastRun?.createdAt)),
  runs_today: (a, b) => b.runsToday - a.runsToday,
};

export interface RowFilter {
  search: string;
  /** Empty: whatever their tags. */
  tag: string;
  /** Workflows that the server found by the search. */
  foundIds: ReadonlySet<string>;
}

/** The rows with a tag whose name and tags have every word of the search, or that were found otherwise; ties by name. */
export function findRows(
  rows: readonly WorkflowRow[],
  { search, tag, foundIds }: RowFilter,
  order: SortOrder,
): WorkflowRow[] {
  const words = search.toLocaleLowerCase('en').split(/\s+/).filter(Boolean);
  const hasWords = ({ name, tags }: WorkflowRow) => {
    const text = [name, ...tags].join(' ').toLocaleLowerCase('en');
    return words.every((word) => text.includes(word));
  };
  return rows
    .filter((row) => (tag === '' || row.tags.includes(tag)) && (hasWords(row) || foundIds.has(row.id)))
    .sort((a, b) => COMPARE[order](a, b) || byName(a, b));
}

/** Every tag of the rows, each once, by name. */
export const listTags = (rows: readonly WorkflowRow[]): string[] =>
  [...new Set(rows.flatMap(({ tags }) => tags))].sort(TAGS.compare);

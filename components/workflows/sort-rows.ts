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
const byName = (a: WorkflowRow, b: WorkflowRow): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' });

const COMPARE: Readonly<Record<SortOrder, (a: WorkflowRow, b: WorkflowRow) => number>> = {
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
  name: byName,
  last_run: (a, b) => text(b.lastRun?.createdAt).localeCompare(text(a.lastRun?.createdAt)),
  runs_today: (a, b) => b.runsToday - a.runsToday,
};

/** The rows whose name has every word of the search, in an order; ties by name. */
export function findRows(rows: readonly WorkflowRow[], search: string, order: SortOrder): WorkflowRow[] {
  const words = search.toLocaleLowerCase('en').split(/\s+/).filter(Boolean);
  return rows
    .filter(({ name }) => words.every((word) => name.toLocaleLowerCase('en').includes(word)))
    .sort((a, b) => COMPARE[order](a, b) || byName(a, b));
}

'use client';
import { Suspense, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import type { ListPage } from '#lib/screens/list-types.ts';
import type { BulkJob } from './bulk-dialog.tsx';
import { fetchJson } from './fetch-json.ts';
import type { BulkKind, ListKind, ListRow } from './list-types.ts';
import type { Filters } from './use-filters.ts';

const BulkDialog = onDemand(async () => (await import('./bulk-dialog.tsx')).BulkDialog);

export interface BulkBarProps<Row extends ListRow> {
  kind: ListKind<Row>;
  bulk: readonly BulkKind<Row>[];
  filters: Filters;
  rows: readonly Row[];
  selected: ReadonlySet<string>;
  clearSelection: () => void;
  /** Called after an action: the rows are outdated. */
  onDone: () => void;
}

/** Bulk actions for the selected rows or for all matching, over all pages. */
export function BulkBar<Row extends ListRow>({
  bulk,
  selected,
  clearSelection,
  ...props
}: BulkBarProps<Row>) {
  const [job, setJob] = useState<BulkJob | null>(null);
  const close = (didSomething: boolean) => {
    setJob(null);
    if (!didSomething) return;
    clearSelection();
    props.onDone();
  };
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center gap-2 text-sm">
      {bulk.map((each) => (
        <Button
          key={each.verb}
          size="sm"
          icon={each.icon}
          onPointerEnter={BulkDialog.preload}
          onFocus={BulkDialog.preload}
          onClick={() => setJob(toJob(each, selected, props))}
        >
          {each.verb} {selected.size > 0 ? 'selected' : each.allWords}
        </Button>
      ))}
      {selected.size > 0 && (
        <>
          <span className="text-muted">{selected.size} selected</span>
          <Button size="sm" variant="ghost" onClick={clearSelection}>
            Clear the selection
          </Button>
        </>
      )}
      <Suspense>{job && <BulkDialog job={job} onClose={close} />}</Suspense>
    </div>
  );
}

function toJob<Row extends ListRow>(
  bulk: BulkKind<Row>,
  selected: ReadonlySet<string>,
  { kind, rows, filters }: Pick<BulkBarProps<Row>, 'kind' | 'rows' | 'filters'>,
): BulkJob {
  const { title, description, danger = false, emptyText, act, isPossible } = bulk;
  const toItem = (row: Row) => ({ id: row.id, isRepeat: bulk.repeat?.isRepeat(row) === true });
  const chosen = rows.filter((row) => selected.has(row.id) && isPossible(row)).map(toItem);
  const query = new URLSearchParams({
    ...bulk.narrowed,
    ...Object.fromEntries(new URLSearchParams(filters.query)),
  });
  const findAll: BulkJob['findItems'] = async (found, signal) => {
    if (bulk.findAll) {
      const all = await bulk.findAll(Object.fromEntries(query));
      if (!all.ok) throw new Error(all.error.message);
      const { ids, repeatIds, words } = all.data;
      const toItems = (found: string[], isRepeat: boolean) => found.map((id) => ({ id, isRepeat }));
      return { items: [...toItems(ids, false), ...toItems(repeatIds, true)], words };
    }
    const all = await collectRows<Row>(`${kind.path}/list`, query, isPossible, found, signal);
    return { items: (bulk.oldestFirst ? all.reverse() : all).map(toItem) };
  };
  return {
    title,
    description,
    danger,
    emptyText,
    confirmLabel: (count) => `${bulk.verb} ${countOf(count, kind.noun)}`,
    repeat: bulk.repeat,
    done: bulk.done,
    findItems:
      selected.size > 0
        ? () => Promise.resolve({ items: bulk.oldestFirst ? chosen.reverse() : chosen })
        : findAll,
    act,
  };
}

const ROWS_A_PAGE = '100';

/** Finds all matching rows, over all pages. @param found called with their number so far */
async function collectRows<Row extends { id: string }>(
  path: string,
  query: URLSearchParams,
  isWanted: (row: Row) => boolean,
  found: (count: number) => void,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  const params = new URLSearchParams(query);
  params.set('limit', ROWS_A_PAGE);
  for (let cursor: string | null = ''; cursor !== null;) {
    if (cursor) params.set('cursor', cursor);
    const page: ListPage<Row> = await fetchJson(`${path}?${params.toString()}`, signal);
    rows.push(...page.data.filter(isWanted));
    found(rows.length);
    cursor = page.next_cursor;
  }
  return rows;
}

/** "no run", "one run", "3 runs". */
export function countOf(count: number, noun: string): string {
  if (count === 0) return `no ${noun}`;
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}

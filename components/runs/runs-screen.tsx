'use client';
import { Ban, History, RotateCcw } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import type { ActionResult } from '#lib/auth/action-types.ts';
import { RUN_STATUSES } from '#lib/runs/schema.ts';
import { BulkDialog, type BulkJob } from './bulk-dialog.tsx';
import { FilterBar, FilterSelect } from './filter-bar.tsx';
import { isOver } from './run-status.tsx';
import type { BulkOutcome, NamedWorkflow, RunListPage, RunRow } from './run-view-types.ts';
import { RunsTable } from './runs-table.tsx';
import { SearchedTo } from './searched-to.tsx';
import { useFilters } from './use-filters.ts';
import { collectIds, useLiveList } from './use-live-list.ts';

type BulkAction = (input: { ids: string[] }) => Promise<ActionResult<BulkOutcome[]>>;

export interface RunsScreenProps {
  firstPage: RunListPage;
  workflows: readonly NamedWorkflow[];
  canEdit: boolean;
  retryRuns: BulkAction;
  cancelRuns: BulkAction;
}

const PATH = '/runs/list';
const WORDS: Record<string, string> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
const STATUS_OPTIONS = RUN_STATUSES.map((value) => ({ value, label: WORDS[value] ?? value }));

const canRetry = ({ status }: RunRow): boolean => status === 'failed' || status === 'cancelled';
const canCancel = ({ status }: RunRow): boolean => !isOver(status);

export function RunsScreen({ firstPage, workflows, canEdit, retryRuns, cancelRuns }: RunsScreenProps) {
  const filters = useFilters();
  const list = useLiveList<RunRow>(PATH, filters.query, firstPage);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [job, setJob] = useState<BulkJob | null>(null);
  const startJob = (kind: 'retry' | 'cancel') => {
    const isWanted = kind === 'retry' ? canRetry : canCancel;
    const chosen = list.rows.filter((row) => selected.has(row.id) && isWanted(row)).map(({ id }) => id);
    const status = kind === 'retry' && !filters.get('status') ? 'failed' : undefined;
    const query = new URLSearchParams(filters.query);
    if (status) query.set('status', status);
    const findIds: BulkJob['findIds'] = (found, signal) =>
      selected.size > 0
        ? Promise.resolve(chosen)
        : collectIds<RunRow>(PATH, query.toString(), isWanted, found, signal);
    setJob(kind === 'retry' ? retryJob(findIds, retryRuns) : cancelJob(findIds, cancelRuns));
  };
  const closeJob = (didSomething: boolean) => {
    setJob(null);
    if (!didSomething) return;
    setSelected(new Set());
    list.refresh();
  };
  return (
    <>
      <FilterBar filters={filters} workflows={workflows}>
        <FilterSelect
          filters={filters}
          name="status"
          label="Status"
          any="Any status"
          options={STATUS_OPTIONS}
        />
      </FilterBar>
      {canEdit && list.rows.length > 0 && (
        <BulkBar selected={selected.size} clear={() => setSelected(new Set())} start={startJob} />
      )}
      {list.error && (
        <div className="mb-4">
          <Callout tone="danger" live actions={<Button onClick={list.refresh}>Try again</Button>}>
            {list.error.message}
          </Callout>
        </div>
      )}
      {list.rows.length === 0 && !list.isChanging && list.searchedTo === null ? (
        <NoRuns isFiltered={filters.query !== ''} clear={filters.clear} />
      ) : (
        <div aria-busy={list.isChanging} className={list.isChanging ? 'opacity-60 transition-opacity' : ''}>
          <RunsTable
            rows={list.rows}
            workflows={workflows}
            {...(canEdit ? { selection: { selected, setSelected } } : {})}
          />
          <SearchedTo at={list.searchedTo} busy={list.isLoadingMore} />
          <LoadMore
            hasMore={list.hasMore}
            loading={list.isLoadingMore}
            onLoadMore={list.loadMore}
            shown={list.rows.length === 1 ? 'One run' : `${list.rows.length} runs`}
          />
        </div>
      )}
      {job && <BulkDialog job={job} onClose={closeJob} />}
    </>
  );
}

function BulkBar({
  selected,
  clear,
  start,
}: {
  selected: number;
  clear: () => void;
  start: (kind: 'retry' | 'cancel') => void;
}) {
  const what = selected > 0 ? 'selected' : 'all that match';
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center gap-2 text-sm">
      <Button size="sm" icon={<RotateCcw aria-hidden />} onClick={() => start('retry')}>
        Retry {selected > 0 ? what : 'all failed that match'}
      </Button>
      <Button size="sm" icon={<Ban aria-hidden />} onClick={() => start('cancel')}>
        Cancel {what}
      </Button>
      {selected > 0 && (
        <>
          <span className="text-muted">{selected} selected</span>
          <Button size="sm" variant="ghost" onClick={clear}>
            Clear the selection
          </Button>
        </>
      )}
    </div>
  );
}

const plural = (count: number): string => (count === 1 ? 'one run' : `${count} runs`);

const retryJob = (findIds: BulkJob['findIds'], act: BulkAction): BulkJob => ({
  title: 'Retry runs',
  description:
    'Each goes on at the task that stopped it. What it did before is not done again; a task whose outcome is unknown is executed once more.',
  confirmLabel: (count) => `Retry ${plural(count)}`,
  emptyText: 'None of these runs failed or was cancelled: there is nothing to retry.',
  findIds,
  act,
});

const cancelJob = (findIds: BulkJob['findIds'], act: BulkAction): BulkJob => ({
  title: 'Cancel runs',
  description: 'Nothing more of them starts. What is under way at this moment may still happen.',
  confirmLabel: (count) => `Cancel ${plural(count)}`,
  danger: true,
  emptyText: 'All of these runs are over: there is nothing to cancel.',
  findIds,
  act,
});

const NoRuns = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <EmptyState
      icon={<History />}
      title="No run matches"
      actions={<Button onClick={clear}>Clear filters</Button>}
    >
      Try a longer time, another status, or another text.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<History />}
      title="No workflow has run yet"
      actions={
        <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
          Go to the workflows
        </Link>
      }
    >
      Publish a workflow and send something to its production URL: its run shows up here while it is under
      way.
    </EmptyState>
  );

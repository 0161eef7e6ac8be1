'use client';
import { Inbox, RotateCcw } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { BulkDialog, type BulkJob } from '#components/runs/bulk-dialog.tsx';
import { FilterBar, FilterSelect } from '#components/runs/filter-bar.tsx';
import type { BulkOutcome, NamedWorkflow } from '#components/runs/run-view-types.ts';
import { SearchedTo } from '#components/runs/searched-to.tsx';
import { useFilters } from '#components/runs/use-filters.ts';
import { collectIds, useLiveList } from '#components/runs/use-live-list.ts';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import type { ActionResult } from '#lib/auth/action-types.ts';
import { EVENT_OUTCOMES } from '#lib/events/schema.ts';
import { OUTCOME_WORDS } from './event-outcome.tsx';
import type { EventListPage, EventListRow } from './event-view-types.ts';
import { EventsTable } from './events-table.tsx';

type ReplayAction = (input: { ids: string[] }) => Promise<ActionResult<BulkOutcome[]>>;

export interface EventsScreenProps {
  firstPage: EventListPage;
  workflows: readonly NamedWorkflow[];
  canEdit: boolean;
  replayEvents: ReplayAction;
}

const PATH = '/events/list';
const OUTCOME_OPTIONS = EVENT_OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] }));

/** A rejected one has nothing that a workflow could be run with. */
const canReplay = ({ outcome }: EventListRow): boolean => outcome !== 'rejected';

export function EventsScreen({ firstPage, workflows, canEdit, replayEvents }: EventsScreenProps) {
  const filters = useFilters();
  const list = useLiveList<EventListRow>(PATH, filters.query, firstPage);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [job, setJob] = useState<BulkJob | null>(null);
  const startReplay = () => {
    const chosen = list.rows.filter((row) => selected.has(row.id) && canReplay(row)).map(({ id }) => id);
    const findIds: BulkJob['findIds'] = async (found, signal) => {
      if (selected.size > 0) return chosen;
      const ids = await collectIds<EventListRow>(PATH, filters.query, canReplay, found, signal);
      // The oldest first, as they came.
      return ids.reverse();
    };
    setJob(replayJob(findIds, replayEvents));
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
          name="outcome"
          label="Outcome"
          any="Any outcome"
          options={OUTCOME_OPTIONS}
        />
      </FilterBar>
      {canEdit && list.rows.length > 0 && (
        <div className="mb-3 flex min-h-8 flex-wrap items-center gap-2 text-sm">
          <Button size="sm" icon={<RotateCcw aria-hidden />} onClick={startReplay}>
            Replay {selected.size > 0 ? 'selected' : 'all that match'}
          </Button>
          {selected.size > 0 && (
            <>
              <span className="text-muted">{selected.size} selected</span>
              <Button size="sm" variant="ghost" onClick={() => setSelected(new Set())}>
                Clear the selection
              </Button>
            </>
          )}
        </div>
      )}
      {list.error && (
        <div className="mb-4">
          <Callout tone="danger" live actions={<Button onClick={list.refresh}>Try again</Button>}>
            {list.error.message}
          </Callout>
        </div>
      )}
      {list.rows.length === 0 && !list.isChanging && list.searchedTo === null ? (
        <NoEvents isFiltered={filters.query !== ''} clear={filters.clear} />
      ) : (
        <div aria-busy={list.isChanging} className={list.isChanging ? 'opacity-60 transition-opacity' : ''}>
          <EventsTable
            rows={list.rows}
            workflows={workflows}
            {...(canEdit ? { selection: { selected, setSelected } } : {})}
          />
          <SearchedTo at={list.searchedTo} busy={list.isLoadingMore} />
          <LoadMore
            hasMore={list.hasMore}
            loading={list.isLoadingMore}
            onLoadMore={list.loadMore}
            shown={list.rows.length === 1 ? 'One event' : `${list.rows.length} events`}
          />
        </div>
      )}
      {job && <BulkDialog job={job} onClose={closeJob} />}
    </>
  );
}

const replayJob = (findIds: BulkJob['findIds'], act: ReplayAction): BulkJob => ({
  title: 'Replay events',
  description:
    'Each starts the published version of its workflow once more, with everything that it sends. Test events are replayed as production ones.',
  confirmLabel: (count) => `Replay ${count === 1 ? 'one event' : `${count} events`}`,
  emptyText: 'All of these events were rejected: there is nothing that a workflow could be run with.',
  findIds,
  act,
});

const NoEvents = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <EmptyState
      icon={<Inbox />}
      title="No event matches"
      actions={<Button onClick={clear}>Clear filters</Button>}
    >
      Try a longer time, another outcome, or another text.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<Inbox />}
      title="Nothing has arrived yet"
      actions={
        <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
          Go to the workflows
        </Link>
      }
    >
      Every workflow has a test URL and a production URL. Send a POST request with a JSON object to one of
      them: it is kept here with what became of it, also when it was refused.
    </EmptyState>
  );

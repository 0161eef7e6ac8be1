'use client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Button } from '#components/ui/button.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import { EmptyState } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ListPage, NamedWorkflow } from '#lib/screens/list-types.ts';
import { BulkBar, countOf } from './bulk-bar.tsx';
import { fetchJson } from './fetch-json.ts';
import { FilterBar, FilterSelect } from './filter-bar.tsx';
import type { BulkKind, ListKind, ListRow } from './list-types.ts';
import { LiveTable } from './live-table.tsx';
import { ReadProblem } from './read-problem.tsx';
import { useFilters } from './use-filters.ts';

export interface LiveListProps<Row extends ListRow> {
  kind: ListKind<Row>;
  firstPage: ListPage<Row>;
  workflows: readonly NamedWorkflow[];
  /** Empty for viewers. */
  bulk: readonly BulkKind<Row>[];
}

/** Runs or events, newest first: with live updates, filters in the URL, and pages added below. */
export function LiveList<Row extends ListRow>({ kind, firstPage, workflows, bulk }: LiveListProps<Row>) {
  const filters = useFilters();
  const list = useLiveList<Row>(`${kind.path}/list`, filters.query, firstPage);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { name, label, any, options } = kind.state;
  return (
    <>
      <FilterBar filters={filters} workflows={workflows}>
        <FilterSelect filters={filters} name={name} label={label} any={any} options={options} />
      </FilterBar>
      {bulk.length > 0 && list.rows.length > 0 && (
        <BulkBar
          kind={kind}
          bulk={bulk}
          filters={filters}
          rows={list.rows}
          selected={selected}
          clearSelection={() => setSelected(new Set())}
          onDone={list.refresh}
        />
      )}
      {filters.get('text') !== undefined && !list.error && !list.isChanging && (
        <SearchedText isFullText={list.isFullText} />
      )}
      {list.error && (
        <div className="mb-4">
          <ReadProblem error={list.error} retry={list.refresh} />
        </div>
      )}
      {list.rows.length === 0 && !list.error && !list.isChanging && list.searchedTo === null ? (
        <Nothing kind={kind} isFiltered={filters.query !== ''} clear={filters.clear} />
      ) : (
        <div aria-busy={list.isChanging} className={list.isChanging ? 'opacity-60 transition-opacity' : ''}>
          {list.rows.length > 0 && (
            <LiveTable
              kind={kind}
              rows={list.rows}
              selection={bulk.length > 0 ? { selected, setSelected } : null}
            />
          )}
          <LoadMore
            hasMore={list.hasMore && list.searchedTo === null}
            loading={list.isLoadingMore}
            onLoadMore={list.loadMore}
            shown={capitalized(countOf(list.rows.length, kind.noun))}
          />
          <SearchedTo at={list.searchedTo} busy={list.isLoadingMore} goOn={list.loadMore} />
        </div>
      )}
    </>
  );
}

export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function Nothing<Row extends ListRow>({
  kind,
  isFiltered,
  clear,
}: {
  kind: ListKind<Row>;
  isFiltered: boolean;
  clear: () => void;
}) {
  if (isFiltered)
    return (
      <EmptyState
        icon={kind.icon}
        title={`No ${kind.noun} matches`}
        actions={<Button onClick={clear}>Clear filters</Button>}
      >
        Try a longer period, another {kind.state.label.toLowerCase()}, or another text.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={kind.icon}
      title={kind.empty.title}
      actions={
        <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
          Go to Workflows
        </Link>
      }
    >
      <p>{kind.empty.text}</p>
      <p className="mt-2">
        <HelpLink page={kind.empty.help.page}>{kind.empty.help.label}</HelpLink>
      </p>
    </EmptyState>
  );
}

/** What a search for a text looks at. */
const SearchedText = ({ isFullText }: { isFullText: boolean }) => (
  <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
    {isFullText
      ? 'Full-text search in the bodies and headers of events of any age.'
      : 'Searching the bodies and headers of events, newest first.'}
    <HelpLink page="search">What is searched</HelpLink>
  </p>
);

/** How far back a search has come, with a button to continue. @param at null: it is complete */
export const SearchedTo = ({ at, busy, goOn }: { at: string | null; busy: boolean; goOn: () => void }) =>
  at === null ? null : (
    <div className="flex min-h-8 flex-wrap items-center justify-center gap-x-4 gap-y-2 pb-4 text-sm text-muted">
      <span className="flex items-center gap-2" aria-live="polite">
        {busy && <Spinner label={null} />}
        <span>
          Searched back to <RelativeTime at={at} />
        </span>
      </span>
      {!busy && (
        <Button size="sm" onClick={goOn}>
          Search further back
        </Button>
      )}
    </div>
  );

const POLL_MS = 3000;
export const SLOW_POLL_MS = 15_000;
/** With more pages, polling is slower. */
const MAX_PAGES_POLLED_OFTEN = 3;
/** Number of pages that a search loads automatically while it finds little. */
const MAX_AUTOMATIC_PAGES = 10;
const ENOUGH_ROWS = 10;

/** A list with live updates at its top and pages at its end. @param pollMs how often it looks for new rows */
export function useLiveList<Row>(path: string, query: string, firstPage: ListPage<Row>, pollMs = POLL_MS) {
  const [firstQuery] = useState(query);
  const isSearch = new URLSearchParams(query).has('text');
  const list = useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) => fetchJson<ListPage<Row>>(withCursor(path, query, pageParam), signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isSearch || isCostly(state.data?.pages ?? []) ? SLOW_POLL_MS : pollMs),
    ...(query === firstQuery ? { initialData: { pages: [firstPage], pageParams: [''] } } : {}),
  });
  const pages = list.data?.pages ?? [];
  const rows = pages.flatMap((page) => page.data);
  const searchedTo = pages.at(-1)?.searched_to ?? null;
  const { fetchNextPage, isFetching } = list;
  const loadsMore = searchedTo !== null && rows.length < ENOUGH_ROWS && pages.length < MAX_AUTOMATIC_PAGES;
  useEffect(() => {
    if (loadsMore && !isFetching) void fetchNextPage();
  }, [loadsMore, isFetching, fetchNextPage]);
  return {
    rows,
    searchedTo,
    isFullText: pages[0]?.full_text === true,
    error: list.error,
    /** The rows of changed filters are loading. */
    isChanging: list.isPlaceholderData,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    refresh: () => void list.refetch(),
  };
}

const isCostly = (pages: readonly ListPage<unknown>[]): boolean =>
  pages.length > MAX_PAGES_POLLED_OFTEN || pages.some((page) => page.searched_to !== null);

function withCursor(path: string, query: string, cursor: string): string {
  const params = new URLSearchParams(query);
  if (cursor) params.set('cursor', cursor);
  return `${path}?${params.toString()}`;
}

'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { HelpLink } from '#components/help/help-link.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { countOf } from './count-of.ts';
import { FilterBar, FilterSelect } from './filter-bar.tsx';
import type { BulkKind, ListKind, ListRow } from './list-types.ts';
import type { ListPage, NamedWorkflow } from '#lib/screens/list-types.ts';
import { LiveTable } from './live-table.tsx';
import { ReadProblem } from './read-problem.tsx';
import { SearchedTo } from './searched-to.tsx';
import { useFilters } from './use-filters.ts';
import { useLiveList } from './use-live-list.ts';

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

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

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

'use client';
import { ArrowDownLeft, ArrowUpRight, UsersRound } from 'lucide-react';
import Link from 'next/link';
import { HelpLink } from '#components/help/help-link.tsx';
import { countOf } from '#components/live/bulk-bar.tsx';
import { TextFilter } from '#components/live/filter-bar.tsx';
import { capitalized, SearchedTo, useLiveList } from '#components/live/live-list.tsx';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { useFilters } from '#components/live/use-filters.ts';
import { buttonClass } from '#components/ui/button-class.ts';
import { Button } from '#components/ui/button.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { EmptyState } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import type { CustomerSummary } from '#lib/screens/customer-schema.ts';
import type { ListPage } from '#lib/screens/list-types.ts';
import { describeNames, nameCustomer } from '#components/live/customer-words.ts';

export interface CustomersScreenProps {
  firstPage: ListPage<CustomerSummary>;
  /** The reader never sees numbers in full. */
  hidesNumbers: boolean;
}

/** All customers, newest first, with a search in the URL. */
export function CustomersScreen({ firstPage, hidesNumbers }: CustomersScreenProps) {
  const filters = useFilters();
  const list = useLiveList<CustomerSummary>('/customers/list', filters.query, firstPage);
  const isSearch = filters.get('text') !== undefined;
  return (
    <>
      <div role="search" className="mb-4 flex flex-wrap items-center gap-2">
        <TextFilter filters={filters} label="Number, name or message ID" className="w-full sm:w-80" />
        {hidesNumbers && <p className="text-sm text-muted">Numbers are found by their last four digits.</p>}
      </div>
      {list.error && (
        <div className="mb-4">
          <ReadProblem error={list.error} retry={list.refresh} />
        </div>
      )}
      {list.rows.length === 0 && !list.error && !list.isChanging && list.searchedTo === null ? (
        <Nothing isSearch={isSearch} clear={filters.clear} />
      ) : (
        <div aria-busy={list.isChanging} className={list.isChanging ? 'opacity-60 transition-opacity' : ''}>
          {list.rows.length > 0 && <CustomersTable rows={list.rows} />}
          <LoadMore
            hasMore={list.hasMore && list.searchedTo === null}
            loading={list.isLoadingMore}
            onLoadMore={list.loadMore}
            shown={capitalized(countOf(list.rows.length, 'customer'))}
          />
          <SearchedTo at={list.searchedTo} busy={list.isLoadingMore} goOn={list.loadMore} />
        </div>
      )}
    </>
  );
}

const Nothing = ({ isSearch, clear }: { isSearch: boolean; clear: () => void }) =>
  isSearch ? (
    <EmptyState
      icon={<UsersRound />}
      title="No customer matches"
      actions={<Button onClick={clear}>Clear search</Button>}
    >
      Try the last digits of the number, or the beginning of the name.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<UsersRound />}
      title="No customers yet"
      actions={
        <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
          Go to Workflows
        </Link>
      }
    >
      <p>Everyone who writes to your numbers, or whom a workflow sends a message to, appears here.</p>
      <p className="mt-2">
        <HelpLink page="customers">Customers and their messages</HelpLink>
      </p>
    </EmptyState>
  );

/** A customer who became active again may be on two pages. */
const unique = (rows: readonly CustomerSummary[]): CustomerSummary[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

const CustomersTable = ({ rows }: { rows: readonly CustomerSummary[] }) => (
  <Table label="Customers">
    <thead>
      <tr>
        <Th>Customer</Th>
        <Th className="max-sm:hidden">Number or user ID</Th>
        <Th className="max-sm:hidden">Last message</Th>
      </tr>
    </thead>
    <tbody>
      {unique(rows).map((row) => (
        <Tr key={row.id} className="relative">
          <Td className="max-w-0 sm:max-w-xs lg:max-w-md">
            <Link
              href={`/customers/${row.id}`}
              prefetch={false}
              className="block truncate font-medium tabular-nums after:absolute after:inset-0 hover:underline"
            >
              {nameCustomer(row)}
            </Link>
            <div className="text-sm text-muted sm:hidden">
              {row.profile_name !== null && <p className="truncate tabular-nums">{describeNames(row)}</p>}
              <LastMessage row={row} />
            </div>
          </Td>
          <Td className="max-w-56 truncate text-muted tabular-nums max-sm:hidden">{describeNames(row)}</Td>
          <Td className="w-56 text-muted max-sm:hidden">
            <LastMessage row={row} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

function LastMessage({ row: { last_message: last, seen_at: seenAt } }: { row: CustomerSummary }) {
  if (last === null)
    return (
      <span className="whitespace-nowrap">
        Seen <RelativeTime at={seenAt} />
      </span>
    );
  const isReceived = last.direction === 'received';
  const Icon = isReceived ? ArrowDownLeft : ArrowUpRight;
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <Icon aria-hidden className={`size-4 shrink-0 ${isReceived ? 'text-accent' : ''}`} />
      <span>
        {isReceived ? 'Received' : 'Sent'} <RelativeTime at={last.at} />
      </span>
    </span>
  );
}

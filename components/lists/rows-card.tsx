'use client';
import { useLiveList } from '#components/live/live-list.tsx';
import { writeNumber } from '#components/live/customer-words.ts';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { FilterSelect } from '#components/live/filter-bar.tsx';
import { useFilters } from '#components/live/use-filters.ts';
import { Status } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { Table, Td, Th, Tr } from '#components/ui/table.tsx';
import type { ListPage } from '#lib/screens/list-types.ts';
import type { SendListRow } from '#lib/screens/lists/send-list-types.ts';
import { ROW_STATES } from '#lib/lists/schema.ts';
import { countRows, ROW_STATE_LOOKS, SKIP_WORDS } from './list-states.tsx';

export interface RowsCardProps {
  /** Of the list's page. */
  path: string;
  firstPage: ListPage<SendListRow>;
}

const STATE_OPTIONS = ROW_STATES.map((value) => ({ value, label: ROW_STATE_LOOKS[value].label }));

/** The rows of a list, filtered by their state in the URL. */
export function RowsCard({ path, firstPage }: RowsCardProps) {
  const filters = useFilters();
  const state = filters.get('state');
  const query = new URLSearchParams(state === undefined ? {} : { state }).toString();
  const list = useLiveList<SendListRow>(`${path}/rows`, query, firstPage);
  return (
    <Card
      id="rows"
      title="Rows"
      actions={
        <FilterSelect filters={filters} name="state" label="State" any="Any state" options={STATE_OPTIONS} />
      }
    >
      {list.error && <ReadProblem error={list.error} retry={list.refresh} />}
      {list.rows.length === 0 && !list.error ? (
        <p className="text-muted">No row matches.</p>
      ) : (
        <>
          <Table label="Rows">
            <thead>
              <tr>
                <Th className="w-16 text-right max-sm:w-0 max-sm:pr-0">Line</Th>
                <Th>Recipient</Th>
                <Th>State</Th>
                <Th className="max-sm:hidden">Run</Th>
              </tr>
            </thead>
            <tbody>
              {list.rows.map((row) => (
                <Row key={row.line} row={row} />
              ))}
            </tbody>
          </Table>
          <LoadMore
            hasMore={list.hasMore}
            loading={list.isLoadingMore}
            onLoadMore={list.loadMore}
            shown={countRows(list.rows.length)}
          />
        </>
      )}
    </Card>
  );
}

function Row({ row }: { row: SendListRow }) {
  const { label, tone } = ROW_STATE_LOOKS[row.state];
  const run = row.runId !== null && <RunLink id={row.runId} />;
  return (
    <Tr>
      <Td className="text-right align-top text-muted tabular-nums max-sm:pr-0">{row.line}</Td>
      <Td className="min-w-36 align-top wrap-anywhere tabular-nums">{writeNumber(row.recipient)}</Td>
      <Td className="align-top">
        <Status tone={tone} live={row.state === 'running'}>
          {label}
        </Status>
        {row.skipped !== null && <p className="pl-4 text-sm text-muted">{SKIP_WORDS[row.skipped]}</p>}
        {run && <p className="pl-4 sm:hidden">{run}</p>}
      </Td>
      <Td className="align-top max-sm:hidden">{run || '–'}</Td>
    </Tr>
  );
}

const RunLink = ({ id }: { id: string }) => (
  <Link href={`/runs/${id}`} className="text-accent underline hover:no-underline">
    Open run
  </Link>
);

'use client';
import { Download, Eraser, History, MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { countOf } from '#components/live/bulk-bar.tsx';
import { capitalized, SLOW_POLL_MS, useLiveList } from '#components/live/live-list.tsx';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Link } from '#components/ui/link.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { EmptyState, PageHeader } from '#components/ui/page.tsx';
import { Deadline, RelativeTime } from '#components/ui/relative-time.tsx';
import { Fact, Facts } from '#components/ui/table.tsx';
import type { Customer, TimelineMessage } from '#lib/screens/customer-schema.ts';
import type { ListPage } from '#lib/screens/list-types.ts';
import { nameCustomer, writeNumber } from '#components/live/customer-words.ts';
import { Attributes, type AttributesProps } from './attributes.tsx';
import { LiveData } from '#components/shell/live-data.tsx';
import { type EraseActions, EraseDialog } from './erase-dialog.tsx';
import { ConsentFacts, type ConsentFactsProps } from './consent-facts.tsx';
import { TimelineEntry } from './timeline-entry.tsx';

export interface CustomerScreenProps {
  customer: Customer;
  firstPage: ListPage<TimelineMessage>;
  consent: Omit<ConsentFactsProps, 'customerId'>;
  saveAttributes: AttributesProps['save'];
  /** Null: the member may not erase. */
  erasing: EraseActions | null;
}

/** A customer, and all that was said with them, newest first. */
export function CustomerScreen({
  customer,
  firstPage,
  consent,
  saveAttributes,
  erasing,
}: CustomerScreenProps) {
  const list = useLiveList<TimelineMessage>(
    `/customers/${customer.id}/timeline`,
    '',
    firstPage,
    SLOW_POLL_MS,
  );
  return (
    <>
      <PageHeader
        title={<span className="break-words tabular-nums">{nameCustomer(customer)}</span>}
        back={{ href: '/customers', label: 'Customers' }}
        actions={
          <>
            <Link href={`/runs?customer=${customer.id}`} className={buttonClass()}>
              <History aria-hidden /> Runs
            </Link>
            {erasing && <OwnersButtons customerId={customer.id} {...erasing} />}
          </>
        }
      />
      <CustomerFacts customer={customer} consent={consent} />
      <Attributes
        customerId={customer.id}
        attributes={customer.attributes}
        canEdit={consent.canEdit}
        save={saveAttributes}
      />
      <h2 className="mb-3 text-lg font-semibold">Messages</h2>
      {list.error && (
        <div className="mb-4">
          <ReadProblem error={list.error} retry={list.refresh} />
        </div>
      )}
      {list.rows.length === 0 && !list.error ? (
        <EmptyState icon={<MessagesSquare />} title="No messages">
          Messages from and to this customer appear here, whichever workflow they belong to, until they are
          removed after their retention.
        </EmptyState>
      ) : (
        <>
          <ol aria-label="Messages" className="rounded-lg border border-line bg-surface shadow-raised">
            {unique(list.rows).map((message) => (
              <TimelineEntry key={`${message.direction} ${message.id}`} message={message} />
            ))}
          </ol>
          <LoadMore
            hasMore={list.hasMore}
            loading={list.isLoadingMore}
            onLoadMore={list.loadMore}
            shown={capitalized(countRows(list.rows))}
          />
        </>
      )}
    </>
  );
}

/** What a person may ask the company for: their data, and that it is erased. */
function OwnersButtons({ customerId, ...actions }: EraseActions & { customerId: string }) {
  const [isErasing, setErasing] = useState(false);
  return (
    <>
      <a href={`/customers/${customerId}/export`} download className={buttonClass()}>
        <Download aria-hidden /> Export data
      </a>
      <Button onClick={() => setErasing(true)}>
        <Eraser aria-hidden /> Erase
      </Button>
      {isErasing && (
        <LiveData>
          <EraseDialog customerId={customerId} {...actions} close={() => setErasing(false)} />
        </LiveData>
      )}
    </>
  );
}

/** "12 messages", "1 message and 2 attribute changes". */
function countRows(rows: readonly TimelineMessage[]): string {
  const changes = rows.filter(({ direction }) => direction === 'remembered').length;
  const messages = countOf(rows.length - changes, 'message');
  return changes === 0 ? messages : `${messages} and ${countOf(changes, 'attribute change')}`;
}

/** New messages move older ones to the next page. */
const unique = (rows: readonly TimelineMessage[]): TimelineMessage[] => [
  ...new Map(rows.map((row) => [`${row.direction} ${row.id}`, row])).values(),
];

/** What is known of the customer. */
const CustomerFacts = ({ customer, consent }: Pick<CustomerScreenProps, 'customer' | 'consent'>) => (
  <Facts>
    {customer.numbers.length > 0 && (
      <Fact label={customer.numbers.length === 1 ? 'Number' : 'Numbers'}>
        {customer.numbers.map((number) => (
          <span key={number} className="flex flex-wrap items-center gap-x-3">
            <span className="tabular-nums">{writeNumber(number)}</span>
            <SandboxPhoneLink recipient={number} />
          </span>
        ))}
      </Fact>
    )}
    {customer.user_ids.length > 0 && (
      <Fact label={customer.user_ids.length === 1 ? 'User ID' : 'User IDs'}>
        {customer.user_ids.map((userId) => (
          <span key={userId} className="block font-mono text-sm break-all">
            {userId}
          </span>
        ))}
      </Fact>
    )}
    {customer.profile_name !== null && <Fact label="Profile name">{customer.profile_name}</Fact>}
    <Fact label="24-hour window">
      <Windows windows={customer.windows} />
    </Fact>
    <ConsentFacts {...consent} customerId={customer.id} />
  </Facts>
);

function Windows({ windows }: Pick<Customer, 'windows'>) {
  if (windows.length === 0)
    return <span className="text-muted">Has not written: only templates can be sent</span>;
  return (
    <ul>
      {windows.map(({ phone_number_id: id, phone_number: number, state, closes_at: closesAt }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-2">
          {state === 'open' ? <Badge tone="success">Open</Badge> : <Badge>Closed</Badge>}
          <span>
            {state === 'open' ? (
              <>
                until <Deadline at={closesAt} />
              </>
            ) : (
              <>
                since <RelativeTime at={closesAt} />: only templates
              </>
            )}
          </span>
          <span className="text-muted">with {number}</span>
        </li>
      ))}
    </ul>
  );
}

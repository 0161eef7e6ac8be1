'use client';
import { Ban, History, RotateCcw, UserRound } from 'lucide-react';
import { writeNumber } from '#components/live/customer-words.ts';
import { useFilters } from '#components/live/use-filters.ts';
import { Link } from '#components/ui/link.tsx';
import type { BulkAction, BulkKind, ListKind } from '#components/live/list-types.ts';
import { LiveList, type LiveListProps } from '#components/live/live-list.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Deadline, TextWithInstants } from '#components/ui/relative-time.tsx';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import { RUN_STATUSES } from '#lib/engine/run-types.ts';
import { formatDuration } from '#components/ui/format.ts';
import { RunCustomerLink } from './run-links.tsx';
import {
  DELIVERY_WORDS,
  describeGate,
  RunDeliveryLabel,
  RunStatusLabel,
  STATUS_WORDS,
  WaitEnd,
} from './run-status.tsx';
import type { WorkflowOfRow } from '#lib/screens/list-types.ts';
import type { RunRow } from '#lib/screens/run-types.ts';

export interface RunsScreenProps extends Pick<
  LiveListProps<RunRow & WorkflowOfRow>,
  'firstPage' | 'workflows'
> {
  canEdit: boolean;
  retryRuns: BulkAction;
  cancelRuns: BulkAction;
}

const KIND: ListKind<RunRow & WorkflowOfRow> = {
  noun: 'run',
  title: 'Runs',
  path: '/runs',
  icon: <History />,
  state: {
    name: 'status',
    label: 'Status',
    any: 'Any status',
    options: RUN_STATUSES.flatMap((value) => [
      { value, label: STATUS_WORDS[value] },
      ...(value === 'succeeded' ? [{ value: 'undelivered', label: DELIVERY_WORDS.undelivered }] : []),
    ]),
    cell: ({ status, delivery }) => (
      <span className="flex flex-col">
        <RunStatusLabel status={status} />
        <RunDeliveryLabel delivery={delivery} />
      </span>
    ),
  },
  arrivedAt: ({ createdAt }) => createdAt,
  marks: ({ version, draftRevision, isRetry, calledBy }) => (
    <>
      {draftRevision !== null ? (
        <Badge tone="info">draft</Badge>
      ) : (
        <span className="text-sm text-muted">v{version}</span>
      )}{' '}
      {isRetry && <Badge>retry</Badge>} {calledBy && <Badge>called</Badge>}
    </>
  ),
  notes: ({
    problem,
    advice,
    status,
    resumeAt,
    waitsFor,
    waitsForRun,
    waitsForRuns,
    waitsForQuietUntil: quietAt,
    customer,
  }) => (
    <>
      {customer && (
        <p className="relative z-10 w-fit max-w-full truncate text-sm md:hidden">
          <RunCustomerLink customer={customer} />
        </p>
      )}
      {problem && (
        <p className="truncate text-sm text-danger">
          <TextWithInstants text={problem} />
        </p>
      )}
      {advice && (
        <p className="truncate text-sm text-muted" title={advice}>
          {advice}
        </p>
      )}
      {status === 'waiting' && resumeAt && (
        <p className="text-sm text-muted">
          {waitsFor ?? 'Waiting'}
          <WaitEnd waitsFor={waitsFor} at={resumeAt} />
        </p>
      )}
      {waitsForRuns !== null && <p className="text-sm text-muted">{describeGate(waitsForRuns)}.</p>}
      {quietAt && (
        <p className="text-sm text-muted">
          Collects webhooks until <Deadline at={quietAt} />
        </p>
      )}
      {waitsForRun && <p className="text-sm text-muted">Waits for an earlier run with the same value.</p>}
    </>
  ),
  columns: [
    {
      title: 'Customer',
      className: 'relative z-10 max-w-48 max-md:hidden',
      cell: ({ customer }) => (customer ? <RunCustomerLink customer={customer} /> : '–'),
    },
    {
      title: 'Took',
      className: 'w-28 text-right whitespace-nowrap text-muted tabular-nums max-md:hidden',
      cell: ({ status, createdAt, startedAt, finishedAt }) =>
        !isOpenRun(status) && finishedAt
          ? formatDuration(Date.parse(finishedAt) - Date.parse(startedAt ?? createdAt))
          : '–',
    },
  ],
  empty: {
    title: 'No runs yet',
    text: 'Publish a workflow and send a request to its production URL. The run appears here while it is in progress.',
    help: { page: 'troubleshootingRuns', label: 'Problems with runs' },
  },
};

/** All runs of the workspace; with bulk retry and cancel. */
export const RunsScreen = ({ canEdit, retryRuns, cancelRuns, ...list }: RunsScreenProps) => (
  <LiveList kind={KIND} bulk={canEdit ? [retry(retryRuns), cancel(cancelRuns)] : []} {...list} />
);

const retry = (act: BulkAction): BulkKind<RunRow & WorkflowOfRow> => ({
  icon: <RotateCcw aria-hidden />,
  verb: 'Retry',
  done: 'retried',
  allWords: 'all matching failed runs',
  isPossible: ({ status, draftRevision }) =>
    draftRevision === null && (status === 'failed' || status === 'cancelled'),
  narrowed: { status: 'failed' },
  title: 'Retry runs',
  description:
    'Each run resumes at the task that failed. Earlier tasks are not repeated; a task with an unknown outcome runs again.',
  emptyText: 'None of these runs failed or was cancelled. There is nothing to retry.',
  act,
});

const cancel = (act: BulkAction): BulkKind<RunRow & WorkflowOfRow> => ({
  icon: <Ban aria-hidden />,
  verb: 'Cancel',
  done: 'cancelled',
  allWords: 'all matching',
  isPossible: ({ status }) => isOpenRun(status),
  title: 'Cancel runs',
  description: 'No further tasks start. Tasks in progress may still complete.',
  danger: true,
  emptyText: 'All of these runs have ended. There is nothing to cancel.',
  act,
});

/** Whose runs a list has; nothing once the filter is cleared. @param name null: the customer does not exist */
export function CustomerOfRuns({ id, name }: { id: string; name: string | null }) {
  const filters = useFilters();
  if (filters.get('customer') !== id) return null;
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-2">
      <UserRound aria-hidden className="size-4 text-muted" />
      {name === null ? (
        'Runs of a customer who does not exist any more.'
      ) : (
        <span>
          Runs with{' '}
          <Link href={`/customers/${id}`} className="text-accent underline hover:no-underline">
            {writeNumber(name)}
          </Link>
        </span>
      )}
    </p>
  );
}

'use client';
import { Inbox, RotateCcw } from 'lucide-react';
import Link from 'next/link';
import type { BulkAction, BulkKind, FoundAll, ListKind } from '#components/live/list-types.ts';
import type { WorkflowOfRow } from '#lib/screens/list-types.ts';
import { countOf } from '#components/live/bulk-bar.tsx';
import { messageHref } from '#components/live/customer-words.ts';
import { LiveList, type LiveListProps } from '#components/live/live-list.tsx';
import { Badge } from '#components/ui/badge.tsx';
import type { ReplayPlan } from '#lib/events/replay-event.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';
import { nameNotification } from '#lib/messaging/notifications/outcome-reasons.ts';
import { EventOutcomeLabel, explainReplay, OUTCOME_WORDS, sumPlans } from './event-words.tsx';
import { type EventListRow, isReplayable } from '#lib/screens/event-types.ts';
import { formatBytes } from '#components/ui/format.ts';

export interface EventsScreenProps extends Pick<
  LiveListProps<EventListRow & WorkflowOfRow>,
  'firstPage' | 'workflows'
> {
  canEdit: boolean;
  replayEvents: BulkAction;
  findReplayable: (input: { filter: Record<string, string> }) => Promise<ActionResult<FoundAll>>;
  planReplay: (input: { ids: string[] }) => Promise<ActionResult<ReplayPlan>>;
}

const KIND: ListKind<EventListRow & WorkflowOfRow> = {
  noun: 'event',
  title: 'Events',
  path: '/events',
  icon: <Inbox />,
  state: {
    name: 'outcome',
    label: 'Outcome',
    any: 'Any outcome',
    options: EVENT_OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] })),
    cell: ({ outcome }) => <EventOutcomeLabel outcome={outcome} />,
  },
  nameOf: ({ reason }) => nameNotification(reason),
  arrivedAt: ({ receivedAt }) => receivedAt,
  marks: ({ kind, workflowId, isReplay, isReplayed }) => (
    <>
      {kind === 'test' && <Badge tone="info">test</Badge>}{' '}
      {kind === 'notification' && workflowId !== null && <Badge>notification</Badge>}{' '}
      {isReplay && <Badge>replay</Badge>} {isReplayed && <Badge tone="success">replayed</Badge>}
    </>
  ),
  notes: ({ reason }) => reason && <p className="truncate text-sm text-muted">{reason}</p>,
  columns: [
    {
      title: 'Run',
      className: 'relative z-10 w-24 max-md:hidden',
      cell: ({ runId }, name) =>
        runId ? (
          <Link
            href={`/runs/${runId}`}
            prefetch={false}
            aria-label={`Run of this event of ${name}`}
            className="text-accent underline hover:no-underline"
          >
            Run
          </Link>
        ) : (
          <span className="text-muted">–</span>
        ),
    },
    {
      title: 'Size',
      className: 'w-24 text-right whitespace-nowrap text-muted tabular-nums max-md:hidden',
      cell: ({ bodyBytes }) => (bodyBytes === null ? '–' : formatBytes(bodyBytes)),
    },
  ],
  group: {
    keyOf: ({ receiptOf }) => receiptOf,
    title: 'Delivery receipts',
    count: (receipts) => countOf(receipts, 'delivery receipt'),
    notes: ({ receiptOf, reason }) => (
      <>
        {reason && <p className="truncate text-sm text-muted">{reason}</p>}
        {receiptOf !== null && (
          <p className="text-sm">
            <Link
              href={messageHref(receiptOf)}
              prefetch={false}
              className="relative z-10 text-accent underline hover:no-underline"
            >
              Message
            </Link>
          </p>
        )}
      </>
    ),
  },
  empty: {
    title: 'No events yet',
    text: 'Every workflow has a test URL and a production URL. Send a POST request with a JSON object to one of them: every event is saved here with its outcome, including rejected ones. Notifications of your connections are listed here too.',
    help: { page: 'troubleshootingWebhooks', label: 'What callers are answered' },
  },
};

/** All requests to the workspace's webhooks, and notifications to its connections; with bulk replay. */
export const EventsScreen = ({
  canEdit,
  replayEvents,
  planReplay,
  findReplayable,
  ...list
}: EventsScreenProps) => (
  <LiveList
    kind={KIND}
    bulk={canEdit ? [replay(replayEvents, { planReplay, findReplayable })] : []}
    {...list}
  />
);

const replay = (
  act: BulkAction,
  { planReplay, findReplayable }: Pick<EventsScreenProps, 'planReplay' | 'findReplayable'>,
): BulkKind<EventListRow & WorkflowOfRow> => ({
  icon: <RotateCcw aria-hidden />,
  verb: 'Replay',
  allWords: 'all matching',
  isPossible: isReplayable,
  findAll: (filter) => findReplayable({ filter }),
  repeat: {
    isRepeat: ({ runId, isReplayed }) => runId !== null || isReplayed,
    label: (count) => `Also replay ${countOf(count, 'event')} that already ran`,
    explain: async (ids) => explainReplay(await sumPlans(ids, planReplay)),
  },
  done: 'replayed',
  oldestFirst: true,
  title: 'Replay events',
  description:
    'Events that never ran start the published version of their workflow. Selected test events are replayed as production events. Notifications that no workflow received start those that are subscribed to them now.',
  emptyText: 'These events were rejected or ignored. There is nothing to replay.',
  act,
});

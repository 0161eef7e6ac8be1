'use client';
import { Download, RotateCcw } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { messageHref } from '#components/live/customer-words.ts';
import { OpenInEditor } from '#components/runs/run-links.tsx';
import { JsonView } from '#components/runs/json-view.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { Fact, Facts } from '#components/ui/table.tsx';
import { PageHeader } from '#components/ui/page.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { KnownWorkflow } from '#lib/workflows/workflow-names.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { ReplayPlan } from '#lib/events/replay-event.ts';
import type { EventOutcome } from '#lib/engine/event-types.ts';
import { nameNotification } from '#lib/messaging/notifications/outcome-reasons.ts';
import { EventOutcomeLabel, explainReplay } from './event-words.tsx';
import { type EventView, isReplayable } from '#lib/screens/event-types.ts';
import { formatBytes } from '#components/ui/format.ts';

type ReplayAction = (input: {
  id: string;
  repeat: boolean;
}) => Promise<ActionResult<{ eventId: string; runId: string | null }>>;

export interface EventScreenProps {
  event: EventView;
  workflow: KnownWorkflow | undefined;
  canEdit: boolean;
  replayEvent: ReplayAction;
  /** What replaying it would repeat. */
  replayPlan: ReplayPlan;
}

/** One received request, and its outcome. */
export function EventScreen({ event, workflow, canEdit, replayEvent, replayPlan }: EventScreenProps) {
  return (
    <>
      <PageHeader
        title={
          workflow?.name ??
          (event.workflowId === null ? nameNotification(event.reason) : 'Event of a deleted workflow')
        }
        back={{ href: '/events', label: 'Events' }}
        actions={
          canEdit &&
          isReplayable(event) && (
            <>
              {event.workflowId !== null && workflow?.isDeleted === false && (
                <OpenInEditor workflowId={event.workflowId} eventId={event.id} />
              )}
              <Replay event={event} replayEvent={replayEvent} plan={replayPlan} />
            </>
          )
        }
      />
      <EventFacts event={event} />
      {event.bodyRemovedAt !== null && (
        <div className="mb-4">
          <Callout tone="info" title="Body and headers were removed">
            The workspace keeps them for a limited time (Settings → Retention). They were removed{' '}
            <RelativeTime at={event.bodyRemovedAt} />, so this event can’t be replayed.
          </Callout>
        </div>
      )}
      <WhyNoRun event={event} workflow={workflow} canEdit={canEdit} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <Card title="Body" actions={canEdit && event.bodyBytes !== null && <RawBody id={event.id} />}>
          <Body body={event.body} isRemoved={event.bodyRemovedAt !== null} />
        </Card>
        <Card title="Headers" description="Values that may be secrets are masked.">
          {event.headers.length === 0 ? (
            <p className="text-muted">
              {event.bodyRemovedAt === null ? 'No headers were stored.' : 'Removed.'}
            </p>
          ) : (
            <dl className="flex flex-col gap-2">
              {event.headers.map(([name, value]) => (
                <div key={name}>
                  <dt className="font-mono text-xs text-muted">{name}</dt>
                  <dd className="font-mono text-sm break-all">{value}</dd>
                </div>
              ))}
            </dl>
          )}
        </Card>
      </div>
    </>
  );
}

const MILD: readonly EventOutcome[] = ['not_active', 'not_forwarded', 'ignored'];

function WhyNoRun({
  event: { outcome, reason, workflowId },
  workflow,
  canEdit,
}: Pick<EventScreenProps, 'event' | 'workflow' | 'canEdit'>) {
  if (!reason) return null;
  const isThere = workflowId !== null && workflow?.isDeleted === false;
  if (outcome === 'duplicate')
    return (
      <div className="mb-4">
        <Callout tone="info" title="A copy">
          This event was received before, so no run started. The sender got the response of the first one, or
          409 if the workflow refuses copies while that is running.
        </Callout>
      </div>
    );
  if (outcome === 'recorded')
    return (
      <div className="mb-4">
        <Callout tone="info" title={nameNotification(reason)}>
          {reason}
        </Callout>
      </div>
    );
  return (
    <div className="mb-4">
      <Callout tone={MILD.includes(outcome) ? 'warning' : 'danger'} title="Why no run started">
        {reason}
        {outcome === 'not_active' && isThere && <NotActive workflowId={workflowId} canEdit={canEdit} />}
        {outcome === 'response_failed' && isThere && (
          <ResponseFailed workflowId={workflowId} canEdit={canEdit} />
        )}
      </Callout>
    </div>
  );
}

/** Events that arrived while the workflow could not run can be replayed. */
const NotActive = ({ workflowId, canEdit }: { workflowId: string; canEdit: boolean }) => (
  <>
    {' '}
    {canEdit
      ? 'The event is stored. Replay it once the workflow is active.'
      : 'The event is stored. An editor can replay it once the workflow is active.'}{' '}
    <Link href={`/workflows/${workflowId}`} className="underline hover:no-underline">
      Open workflow
    </Link>
    {' · '}
    <KeptLikeThis workflowId={workflowId} outcome="not_active" />
  </>
);

/** The sender got an error instead of the response, and no run was started. */
const ResponseFailed = ({ workflowId, canEdit }: { workflowId: string; canEdit: boolean }) => (
  <>
    {' '}
    {canEdit
      ? 'The event is saved. Replay it to run the workflow without sending the response.'
      : 'The event is saved. An editor can replay it to run the workflow without sending the response.'}{' '}
    <Link href={`/workflows/${workflowId}`} className="underline hover:no-underline">
      Edit the trigger
    </Link>
    {' · '}
    <KeptLikeThis workflowId={workflowId} outcome="response_failed" />
  </>
);

const KeptLikeThis = ({ workflowId, outcome }: { workflowId: string; outcome: EventOutcome }) => (
  <Link href={`/events?workflow=${workflowId}&outcome=${outcome}`} className="underline hover:no-underline">
    All events like this
  </Link>
);

const RawBody = ({ id }: { id: string }) => (
  <a href={`/events/${id}/raw`} download className={buttonClass({ size: 'sm' })}>
    <Download aria-hidden className="size-4" /> Request
  </a>
);

const EventFacts = ({ event }: { event: EventView }) => (
  <Facts>
    <Fact label="Outcome">
      <EventOutcomeLabel outcome={event.outcome} />
    </Fact>
    <Fact label="Arrived">
      <RelativeTime at={event.receivedAt} />
    </Fact>
    <Fact label="Sent to">
      <Destination event={event} />
    </Fact>
    {event.bodyBytes !== null && <Fact label="Size">{formatBytes(event.bodyBytes)}</Fact>}
    <Fact label="Event">
      <span className="font-mono text-sm">{event.id.slice(-12)}</span>
    </Fact>
    {event.runId && (
      <Fact label="Run">
        <Link href={`/runs/${event.runId}`} className="text-accent underline hover:no-underline">
          Open the run
        </Link>
      </Fact>
    )}
    {event.receiptOf !== null && (
      <Fact label="Message">
        <Link href={messageHref(event.receiptOf)} className="text-accent underline hover:no-underline">
          Open the message
        </Link>
      </Fact>
    )}
    {event.duplicateOf && <OtherEvent label="Copy of" id={event.duplicateOf} />}
    {event.isReplayed && <Fact label="Replays">Replayed</Fact>}
    {event.replayOf && <OtherEvent label="Replay of" id={event.replayOf} />}
  </Facts>
);

const OtherEvent = ({ label, id }: { label: string; id: string }) => (
  <Fact label={label}>
    <Link href={`/events/${id}`} className="font-mono text-sm text-accent underline hover:no-underline">
      {id.slice(-12)}
    </Link>
  </Fact>
);

function Destination({ event: { kind, connectionId, connectionName } }: { event: EventView }) {
  if (kind === 'test') return <Badge tone="info">Test URL</Badge>;
  if (kind === 'production' && connectionId === null) return 'Production URL';
  if (connectionId === null || connectionName === null) return 'A connection that was deleted';
  return (
    <Link href={`/connections/${connectionId}`} className="text-accent underline hover:no-underline">
      {connectionName}
    </Link>
  );
}

function Body({ body, isRemoved }: { body: EventView['body']; isRemoved: boolean }) {
  switch (body.format) {
    case 'json':
      return (
        <>
          <JsonView json={body.text} label="body" />
          {body.isCut && (
            <p className="mt-2 text-sm text-muted">Too long to show here. Use the API to get all of it.</p>
          )}
        </>
      );
    case 'text':
      return <CodeBlock code={body.text} label="body" wrap />;
    case 'binary':
      return (
        <>
          <p className="mb-2 text-muted">It is not UTF-8 text; these are its bytes in base64.</p>
          <CodeBlock code={body.text} label="body in base64" wrap />
        </>
      );
    case 'none':
      return <p className="text-muted">{isRemoved ? 'Removed.' : 'The body was not stored.'}</p>;
  }
}

function Replay({
  event: { id, workflowId },
  replayEvent,
  plan,
}: {
  event: EventView;
  replayEvent: ReplayAction;
  plan: ReplayPlan;
}) {
  const router = useRouter();
  const who =
    workflowId === null
      ? 'Workflows that are subscribed to this notification now run with it.'
      : 'The published version of the workflow runs with this event.';
  const replay = async () => {
    const result = await replayEvent({ id, repeat: plan.events > 0 });
    if (!result.ok) {
      toast.error(result.error.message);
      return;
    }
    toast.success('Replayed. A new run started.');
    router.push(result.data.runId ? `/runs/${result.data.runId}` : `/events/${result.data.eventId}`);
  };
  return (
    <ConfirmDialog
      trigger={<Button icon={<RotateCcw aria-hidden />}>Replay</Button>}
      title="Replay this event?"
      description={`${who} ${plan.events > 0 ? explainReplay(plan) : 'It never ran before.'}`}
      confirmLabel="Replay"
      onConfirm={replay}
    />
  );
}

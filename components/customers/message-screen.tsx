import type { ReactNode } from 'react';
import { EventOutcomeLabel } from '#components/events/event-words.tsx';
import { DeliveryMark } from '#components/runs/delivery.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { PageHeader } from '#components/ui/page.tsx';
import { Instant, TextWithInstants } from '#components/ui/relative-time.tsx';
import { Fact, Facts } from '#components/ui/table.tsx';
import { codeTitle, codeWords } from '#lib/messaging/schema/number-words.ts';
import type { Message } from '#lib/screens/customer-schema.ts';
import { writeNumber } from '#components/live/customer-words.ts';
import { describeMessage, MessageText } from './timeline-entry.tsx';

const LINK = 'text-accent underline hover:no-underline';

/** What led to a message, and its outcome: from the event to the platform's last status. */
export function MessageScreen({ message }: { message: Message }) {
  const isReceived = message.direction === 'received';
  return (
    <>
      <PageHeader
        title={describeMessage(message)}
        back={
          message.customer_id === null
            ? { href: '/customers', label: 'Customers' }
            : { href: `/customers/${message.customer_id}`, label: 'Customer' }
        }
      />
      <Facts>
        <Fact label={isReceived ? 'From' : 'To'}>
          <span className="tabular-nums">{writeNumber(message.customer)}</span>
        </Fact>
        <Fact label={isReceived ? 'Received' : 'Sent'}>
          <Instant at={message.at} />
        </Fact>
        {message.status !== null && (
          <Fact label="Status">
            <DeliveryMark status={message.status} />
          </Fact>
        )}
      </Facts>
      <div className="flex flex-col gap-4">
        {(message.text ?? message.template) !== null && (
          <Card title="Content">
            {message.template !== null && (
              <p>
                Message template <span className="font-mono break-all">{message.template}</span>
              </p>
            )}
            <MessageText message={message} />
          </Card>
        )}
        <Card title={isReceived ? 'What it started' : 'How it was sent'}>
          <ol className="flex flex-col gap-4">
            {isReceived ? <ReceivedSteps message={message} /> : <SentSteps message={message} />}
          </ol>
        </Card>
        {!isReceived && (
          <Card title="What the platform reported">
            <Reported message={message} />
          </Card>
        )}
      </div>
    </>
  );
}

const Step = ({ label, children }: { label: string; children: ReactNode }) => (
  <li className="flex flex-col gap-0.5 sm:flex-row sm:gap-4">
    <span className="w-40 shrink-0 text-muted">{label}</span>
    <div className="min-w-0 break-words">{children}</div>
  </li>
);

const Events = ({ events }: Pick<Message, 'events'>) =>
  events.map(({ id, outcome, reason, received_at: at }) => (
    <Step key={id} label="Event">
      <p className="flex flex-wrap items-center gap-x-3">
        <Link href={`/events/${id}`} className={`${LINK} font-mono text-sm`}>
          {id.slice(-12)}
        </Link>
        <Instant at={at} />
        <EventOutcomeLabel outcome={outcome} />
      </p>
      {reason !== null && (
        <p className="text-sm text-muted">
          <TextWithInstants text={reason} />
        </p>
      )}
    </Step>
  ));

const Runs = ({ runs }: Pick<Message, 'runs'>) =>
  runs.map(({ run_id: id, workflow_id: workflowId, workflow_name: name, version }) => (
    <Step key={id} label="Workflow">
      <p>
        <Link href={`/workflows/${workflowId}`} className={LINK}>
          {name ?? 'Deleted workflow'}
        </Link>
        {`, ${version === null ? 'draft' : `version ${version}`} · `}
        <Link href={`/runs/${id}`} className={LINK}>
          Run
        </Link>
      </p>
    </Step>
  ));

const PlatformId = ({ id }: { id: string }) => (
  <Step label="Platform’s message ID">
    <span className="font-mono text-sm break-all">{id}</span>
  </Step>
);

function ReceivedSteps({ message: { id, events, runs } }: { message: Message }) {
  return (
    <>
      <PlatformId id={id} />
      {events.length === 0 && <Step label="Event">Removed after its retention.</Step>}
      <Events events={events} />
      <Runs runs={runs} />
      {runs.length === 0 && events.length > 0 && (
        <Step label="Workflow">None: no run started from it or took it as its answer.</Step>
      )}
    </>
  );
}

function SentSteps({ message: { id, kind, confirms, events, runs, task } }: { message: Message }) {
  return (
    <>
      <Events events={events} />
      <Runs runs={runs} />
      {runs.length === 0 && (
        <Step label="Workflow">
          {confirms !== null
            ? 'None: it answers the customer’s message (Settings → Consent).'
            : kind === null
              ? 'None: staff or another app of the account sent it.'
              : 'The run that sent it was removed after its retention, or it was sent manually.'}
        </Step>
      )}
      {task && (
        <Step label="Task">
          {task.name ?? `Task ${task.task_id}`}
          {task.iteration.length > 0 && (
            <span className="text-muted"> · item {task.iteration.map((index) => index + 1).join('.')}</span>
          )}
        </Step>
      )}
      <PlatformId id={id} />
    </>
  );
}

const Reported = ({ message: { statuses, problem } }: { message: Message }) => (
  <>
    <ol className="flex flex-col gap-2">
      {statuses.map(({ status, at, pricing }) => (
        <li key={`${status} ${at}`} className="flex flex-wrap items-center gap-x-3">
          <DeliveryMark status={status} />
          <span className="text-muted">
            <Instant at={at} />
          </span>
          {pricing && (
            <span className="text-sm text-muted">{`${codeTitle(pricing.category)}, ${codeWords(pricing.type)}`}</span>
          )}
        </li>
      ))}
    </ol>
    {problem !== null && (
      <p className="mt-2 break-words text-danger">
        <TextWithInstants text={problem} />
      </p>
    )}
  </>
);

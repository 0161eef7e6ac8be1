import { ArrowDownLeft, ArrowUpRight, Bookmark } from 'lucide-react';
import { Formatted } from '#components/phone/phone-preview.tsx';
import { DeliveryMark } from '#components/runs/delivery.tsx';
import { cx } from '#components/ui/cx.ts';
import { Link } from '#components/ui/link.tsx';
import { Instant, RelativeTime, TextWithInstants } from '#components/ui/relative-time.tsx';
import type { ConsentState } from '#lib/messaging/schema/consent-types.ts';
import { STATUS_LABELS } from '#lib/messaging/schema/message-statuses.ts';
import type { TimelineMessage } from '#lib/screens/customer-schema.ts';
import { EVIDENCE_WORDS, kindWords, messageHref, writeAttribute } from '#components/live/customer-words.ts';

const LINK = 'text-accent underline hover:no-underline';

const ICONS = { received: ArrowDownLeft, sent: ArrowUpRight, remembered: Bookmark } as const;

/** One message of a customer's timeline, or what was remembered of them. */
export function TimelineEntry({ message }: { message: TimelineMessage }) {
  const isReceived = message.direction === 'received';
  const Icon = ICONS[message.direction];
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <span
        className={cx(
          'mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full',
          isReceived ? 'bg-accent-soft text-accent' : 'bg-hover text-muted',
        )}
      >
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
          <p className="min-w-0 font-medium break-words">{describeMessage(message)}</p>
          <p className="flex items-center gap-x-3 text-sm text-muted">
            {message.status !== null && <DeliveryMark status={message.status} />}
            <RelativeTime at={message.at} />
          </p>
        </div>
        <MessageText message={message} />
        {message.problem && (
          <p className="mt-1 text-sm break-words text-danger">
            <TextWithInstants text={message.problem} />
          </p>
        )}
        <Statuses message={message} />
        <Links message={message} />
      </div>
    </li>
  );
}

/** Of a customer's message that taps something. */
const TAPS: readonly string[] = ['interactive', 'button'];

/** "Received a text", "Sent: Template order_ready", "Sent by a person: Text". */
export function describeMessage({
  direction,
  kind,
  template,
  attribute,
  by_person: isByPerson,
  confirms,
  status,
  problem,
}: TimelineMessage): string {
  if (attribute) return describeAttribute(attribute);
  if (confirms !== null)
    return describeConfirmation(confirms, { isSent: status !== null, isDue: problem === null });
  if (direction === 'received')
    return kind !== null && TAPS.includes(kind) ? 'Answered' : `Received: ${kindWords(kind ?? 'message')}`;
  if (kind === null) return 'Sent without Patchbay';
  const what = template === null ? kindWords(kind) : `Template ${template}`;
  return `${isByPerson ? 'Sent by a person' : 'Sent'}: ${what}`;
}

function describeConfirmation(
  state: ConsentState,
  { isSent, isDue }: { isSent: boolean; isDue: boolean },
): string {
  const what = state === 'stopped' ? 'Confirmation of the stop' : 'Confirmation of the consent';
  if (isSent) return `Sent: ${what}`;
  return isDue ? `About to be sent: ${what}` : what;
}

function describeAttribute({ name, type, value }: NonNullable<TimelineMessage['attribute']>): string {
  return value === null ? `Removed: ${name}` : `Remembered: ${name} = ${writeAttribute(type, value)}`;
}

/** What it says, or why that is not shown. */
export function MessageText({ message: { direction, text, kind } }: { message: TimelineMessage }) {
  if (text)
    return (
      <p className="mt-1 max-w-prose break-words whitespace-pre-wrap">
        <Formatted text={text} />
      </p>
    );
  if (text === null && direction === 'received')
    return <p className="mt-1 text-sm text-muted">What it said was removed after its retention.</p>;
  return text === null && kind === 'text' ? (
    <p className="mt-1 text-sm text-muted">The text is no longer stored.</p>
  ) : null;
}

/** When the platform reported what, of a message that was sent. */
const Statuses = ({ message: { statuses } }: { message: TimelineMessage }) =>
  statuses.length < 2 ? null : (
    <ul aria-label="Statuses" className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted">
      {statuses.map(({ status, at }) => (
        <li key={`${status} ${at}`}>
          {STATUS_LABELS[status]} <Instant at={at} />
        </li>
      ))}
    </ul>
  );

/** A confirmation that was not sent has no page. */
const isOfPlatform = ({ confirms, status }: TimelineMessage): boolean => confirms === null || status !== null;

function Links({ message }: { message: TimelineMessage }) {
  const { direction, runs, event_ids: eventIds } = message;
  if (!isOfPlatform(message)) return null;
  return (
    <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {runs.map(({ run_id: runId, workflow_id: id, workflow_name: name, version }) => (
        <li key={runId} className="min-w-0">
          <Link href={`/workflows/${id}`} className={`${LINK} break-words`}>
            {name ?? 'Deleted workflow'}
          </Link>{' '}
          <span className="text-muted">{version === null ? 'draft' : `v${version}`}</span>
          {' · '}
          <Link href={`/runs/${runId}`} className={LINK}>
            Run
          </Link>
        </li>
      ))}
      {direction === 'received' && runs.length === 0 && <li className="text-muted">No workflow took it</li>}
      {eventIds.map((id, index) => (
        <li key={id}>
          <Link href={`/events/${id}`} className={LINK}>
            {eventIds.length === 1 ? 'Event' : `Event ${index + 1}`}
          </Link>
        </li>
      ))}
      {message.attribute ? (
        runs.length === 0 && (
          <li className="text-muted">
            <span className="inline-block first-letter:uppercase">
              {EVIDENCE_WORDS[message.attribute.by]}
            </span>
          </li>
        )
      ) : (
        <li>
          <Link href={messageHref(message.id)} className={LINK}>
            Details
          </Link>
        </li>
      )}
    </ul>
  );
}

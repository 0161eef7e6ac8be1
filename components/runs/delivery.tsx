import { Check, CheckCheck, CirclePause, CircleX, Clock3, Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import {
  readWithheld,
  type ShownStatus,
  STATUS_LABELS,
  WITHHELD_WORDS,
} from '#lib/messaging/schema/message-statuses.ts';
import type { MessageView } from '#lib/screens/run-types.ts';

const ICONS: Record<ShownStatus, ReactNode> = {
  accepted: <Clock3 aria-hidden className="size-4 text-muted" />,
  held_for_quality_assessment: <Hourglass aria-hidden className="size-4 text-warning" />,
  paused: <CirclePause aria-hidden className="size-4 text-warning" />,
  sent: <Check aria-hidden className="size-4 text-muted" />,
  delivered: <CheckCheck aria-hidden className="size-4 text-muted" />,
  read: <CheckCheck aria-hidden className="size-4 text-accent" />,
  played: <CheckCheck aria-hidden className="size-4 text-accent" />,
  failed: <CircleX aria-hidden className="size-4 text-danger" />,
};

/** The delivery status of a message, as ticks and a word. */
export const DeliveryMark = ({ status }: { status: ShownStatus }) => (
  <span className="inline-flex items-center gap-1 text-sm whitespace-nowrap text-muted">
    {ICONS[status]}
    <span className={status === 'failed' ? 'text-danger' : ''}>{STATUS_LABELS[status]}</span>
  </span>
);

/** The timeline of a message's delivery. */
export function MessageDelivery({ message }: { message: MessageView }) {
  return (
    <div className="rounded-md border border-line px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-medium">
          To <span className="tabular-nums">{message.recipient}</span>
          {message.templateName && <span className="text-muted"> · {message.templateName}</span>}
        </p>
        <span className="flex items-center gap-x-3">
          <SandboxPhoneLink recipient={message.recipient} />
          <DeliveryMark status={message.status} />
        </span>
      </div>
      <ol className="mt-2 flex flex-col gap-1.5 border-t border-line pt-2">
        {message.steps.map((step) => (
          <li key={`${step.status}${step.at}`} className="flex flex-wrap items-center gap-x-2 text-sm">
            {ICONS[step.status]}
            <span>{STATUS_LABELS[step.status]}</span>
            <span className="text-muted">
              <RelativeTime at={step.at} />
            </span>
            <WithheldNote status={step.status} />
            {step.problem && <p className="w-full pl-6 text-danger">{step.problem}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function WithheldNote({ status }: { status: ShownStatus }) {
  const withheld = readWithheld(status);
  return withheld && <p className="w-full pl-6 text-muted">{WITHHELD_WORDS[withheld]}</p>;
}

/** Of many reasons: those of the most messages. */
const MAX_REASONS = 3;

/** Which of a run's messages were not delivered, with the platform's reasons and what to do. */
export function UndeliveredCallout({ messages }: { messages: readonly MessageView[] }) {
  const failed = messages.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return null;
  const reasons = [...Map.groupBy(failed, ({ problem }) => problem)].toSorted(
    ([, some], [, others]) => others.length - some.length,
  );
  const rest = reasons.slice(MAX_REASONS).reduce((sum, [, { length }]) => sum + length, 0);
  return (
    <div className="mb-4">
      <Callout tone="danger" title={titleOf(failed.length, messages.length)}>
        {reasons.slice(0, MAX_REASONS).map(([reason, those]) => (
          <p key={reason} className="mt-1 break-words">
            {messages.length > 1 &&
              `${those.length === 1 ? those[0]?.recipient : `${those.length} messages`}: `}
            {reason}
          </p>
        ))}
        {rest > 0 && (
          <p className="mt-1">{`${rest} more for other reasons: open their tasks in the timeline.`}</p>
        )}
      </Callout>
    </div>
  );
}

function titleOf(failed: number, all: number): string {
  if (all === 1) return 'The message was not delivered';
  return `${failed} of ${all} messages ${failed === 1 ? 'was' : 'were'} not delivered`;
}

/** The message of a task run; undefined: none. */
export const findMessageOf = (
  messages: readonly MessageView[],
  taskId: number,
  iteration: readonly number[],
): MessageView | undefined =>
  messages.find((message) => message.taskId === taskId && message.iteration === iteration.join('.'));

import { Check } from 'lucide-react';
import { cx } from '#components/ui/cx.ts';
import { Instant } from '#components/ui/relative-time.tsx';
import { Formatted } from '#components/phone/phone-preview.tsx';
import { isCaptured } from '#lib/messaging/sending/captured-id.ts';
import type { MessageView } from '#lib/screens/run-types.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { DeliveryMark } from './delivery.tsx';

const WIDTH = 'max-w-[min(85%,26rem)] min-w-0';

/** A message as on a phone: the business at the right, the customer at the left. */
export function Bubble({
  message: { by, at, text, kind, choices, template, id },
  delivery,
  answer,
}: {
  message: SaidMessage;
  delivery: MessageView | undefined;
  /** The customer's next message. */
  answer: string | undefined;
}) {
  const isOurs = by === 'business';
  return (
    <li
      className={cx('flex flex-col gap-1', WIDTH, isOurs ? 'items-end self-end' : 'items-start self-start')}
    >
      <span className="sr-only">{isOurs ? 'Sent:' : 'Customer:'}</span>
      <div
        className={cx(
          'max-w-full rounded-lg px-3.5 py-2',
          isOurs ? 'rounded-br-none bg-accent-soft' : 'rounded-bl-none bg-hover',
        )}
      >
        {template !== '' && (
          <p className="text-sm text-muted">
            Message template <span className="font-mono break-all">{template}</span>
          </p>
        )}
        {kind !== '' && <p className="text-muted italic">{kindWords(kind)}</p>}
        {text !== '' && (
          <p className="break-words whitespace-pre-wrap">
            <Formatted text={text} />
          </p>
        )}
        {choices.length > 0 && <Choices choices={choices} answer={answer} />}
      </div>
      <p className="flex flex-wrap items-center gap-x-2 px-1 text-xs text-muted">
        <Instant at={at} />
        {isCaptured(id) && 'Not sent (test run)'}
        {delivery && <DeliveryMark status={delivery.status} />}
      </p>
    </li>
  );
}

const Choices = ({ choices, answer }: { choices: readonly string[]; answer: string | undefined }) => (
  <ul aria-label="Buttons" className="mt-2 flex flex-wrap gap-1.5">
    {choices.map((choice, index) => {
      const isTapped = choice === answer;
      return (
        <li
          key={index}
          className={cx(
            'flex items-center gap-1 rounded-full border px-2.5 py-0.5 text-sm',
            isTapped ? 'border-accent text-accent' : 'border-line-strong/60',
          )}
        >
          {isTapped && <Check aria-label="Chosen" className="size-3.5" />}
          {choice}
        </li>
      );
    })}
  </ul>
);

const kindWords = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');

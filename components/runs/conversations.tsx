'use client';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { kindWords } from '#components/live/customer-words.ts';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Formatted } from '#components/phone/phone-preview.tsx';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { Card } from '#components/ui/card.tsx';
import { cx } from '#components/ui/cx.ts';
import { Deadline, Instant } from '#components/ui/relative-time.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { isCaptured } from '#lib/messaging/sending/captured-id.ts';
import type { ConversationView, MessageView, TaskRunRow } from '#lib/screens/run-types.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { DeliveryMark } from './delivery.tsx';

/** The conversations with customers in a run, as on their phones; empty where no customer was asked or wrote. */
export function Conversations({
  runId,
  tasks,
  messages,
}: {
  runId: string;
  tasks: readonly TaskRunRow[];
  messages: readonly MessageView[];
}) {
  const [chosen, setChosen] = useState<string>();
  // Reloads when a task has continued.
  const progress = tasks.map(({ status, attempt, runText }) => `${status} ${attempt} ${runText}`).join();
  const { data = [] } = useQuery({
    queryKey: ['conversations', runId, progress],
    queryFn: ({ signal }) => fetchJson<ConversationView[]>(`/runs/${runId}/conversations`, signal),
    placeholderData: (previous) => previous,
  });
  const shown = data.find(({ customer }) => customer === chosen) ?? data[0];
  if (!shown) return null;
  return (
    <Card
      title="Conversation"
      actions={
        data.length > 1 ? (
          <Select
            aria-label="Customer"
            value={shown.customer}
            options={data.map(({ customer }) => ({ value: customer, label: customer }))}
            onValueChange={setChosen}
          />
        ) : (
          <span className="flex items-center gap-3 text-sm text-muted tabular-nums">
            <SandboxPhoneLink recipient={shown.customer} /> {shown.customer}
          </span>
        )
      }
    >
      <Conversation conversation={shown} messages={messages} />
    </Card>
  );
}

function Conversation({
  conversation,
  messages,
}: {
  conversation: ConversationView;
  messages: readonly MessageView[];
}) {
  const deliveries = new Map(messages.map((message) => [message.messageId, message]));
  return (
    <ol className="flex flex-col gap-2" aria-label={`Conversation with ${conversation.customer}`}>
      {conversation.messages.map((message, index) => (
        <Bubble
          key={`${message.at}:${index}`}
          message={message}
          delivery={deliveries.get(message.id)}
          answer={answerTo(conversation.messages, index)}
        />
      ))}
      {conversation.waitsUntil !== null && (
        <li className="self-start rounded-lg rounded-bl-none border border-dashed border-line-strong px-3.5 py-2 text-sm text-muted">
          Waiting for the customer’s answer until <Deadline at={conversation.waitsUntil} />
        </li>
      )}
    </ol>
  );
}

/** The customer's next message; of the buttons of a message the one with this label was tapped. */
const answerTo = (messages: ConversationView['messages'], index: number): string | undefined =>
  messages.slice(index + 1).find(({ by }) => by === 'customer')?.text;

const WIDTH = 'max-w-[min(85%,26rem)] min-w-0';

/** A message as on a phone: the business at the right, the customer at the left. */
function Bubble({
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
      {delivery?.problem && <p className="px-1 text-xs text-danger">{delivery.problem}</p>}
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

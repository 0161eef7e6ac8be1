'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { Card } from '#components/ui/card.tsx';
import { Deadline } from '#components/ui/relative-time.tsx';
import { Select } from '#components/ui/select.tsx';
import type { ConversationView, MessageView, TaskRunRow } from '#lib/screens/run-types.ts';
import { Bubble } from './bubble.tsx';

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

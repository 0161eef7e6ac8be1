'use client';
import { Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Select } from '#components/ui/form/select.tsx';
import type { ConnectionSubscription, ListedSubscription } from '#lib/messaging/connections/schema.ts';
import {
  SUBSCRIPTION_KINDS,
  type SubscriptionKind as Kind,
} from '#lib/messaging/schema/subscription-kinds.ts';
import type { ConnectionActions } from './connection-actions-types.ts';
import type { ReceiverView } from '#lib/screens/connection-types.ts';
import type { NamedWorkflow } from '#lib/screens/list-types.ts';
import { useTask } from '#components/live/use-task.ts';

const KIND_LABELS: Record<Kind, string> = {
  messages: 'Incoming messages',
  statuses: 'Delivery statuses',
  templates: 'Template review results',
  preferences: 'Marketing opt-outs and opt-ins',
};

export interface NotificationsProps {
  connectionId: string;
  /** Null: the user may not change it, and sees no URL. */
  receiver: ReceiverView | null;
  subscriptions: readonly ListedSubscription[];
  workflows: readonly NamedWorkflow[];
  actions: ConnectionActions;
}

/** Receiver of the platform's notifications, and the workflows that they start. */
export function Notifications({
  connectionId,
  receiver,
  subscriptions,
  workflows,
  actions,
}: NotificationsProps) {
  const task = useTask();
  return (
    <Card
      title="Notifications"
      description="Incoming messages, delivery statuses and template review results."
      actions={
        receiver && (
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              loading={task.busy}
              onClick={() =>
                void task.run(() => actions.subscribeNotifications({ id: connectionId }), 'Subscribed.')
              }
            >
              Subscribe
            </Button>
            <Button
              size="sm"
              variant="ghost"
              disabled={task.busy}
              onClick={() =>
                void task.run(() => actions.unsubscribeNotifications({ id: connectionId }), 'Unsubscribed.')
              }
            >
              Unsubscribe
            </Button>
          </div>
        )
      }
    >
      {receiver && <Receiver receiver={receiver} />}
      <h3 className="mt-4 mb-2 text-sm font-semibold text-muted">Workflows started by notifications</h3>
      <HandedOn
        connectionId={connectionId}
        canEdit={receiver !== null}
        subscriptions={subscriptions}
        workflows={workflows}
        actions={actions}
      />
    </Card>
  );
}

const Receiver = ({ receiver }: { receiver: ReceiverView }) => (
  <div className="flex flex-col gap-2">
    <p className="text-muted">
      {receiver.lastNotificationAt ? (
        <>
          Last received <RelativeTime at={receiver.lastNotificationAt} />.
        </>
      ) : (
        'None received yet. Subscribing gives these to the platform; you can also enter them in its dashboard:'
      )}
    </p>
    <div>
      <p className="mb-1 text-sm font-medium">Callback URL</p>
      <CodeBlock code={receiver.url} label="callback URL" wrap />
    </div>
    <div>
      <p className="mb-1 text-sm font-medium">Verify token</p>
      <CodeBlock code={receiver.verifyToken} label="verify token" wrap />
    </div>
  </div>
);

function HandedOn({
  connectionId,
  canEdit,
  subscriptions,
  workflows,
  actions,
}: Omit<NotificationsProps, 'receiver'> & { canEdit: boolean }) {
  const task = useTask();
  const [workflowId, setWorkflowId] = useState('');
  const names = new Map(workflows.map(({ id, name }) => [id, name]));
  const free = workflows.filter(({ id }) => !subscriptions.some((each) => each.workflow_id === id));
  const put = (subscription: ConnectionSubscription, done: string) =>
    task.run(() => actions.putSubscription({ id: connectionId, ...subscription }), done);
  const add = async () => {
    const fresh: ConnectionSubscription = {
      workflow_id: workflowId,
      kinds: ['messages'],
      phone_number_id: null,
      message_kinds: [],
      words: [],
    };
    if (await put(fresh, 'Added.')) setWorkflowId('');
  };
  return (
    <>
      {subscriptions.length === 0 && <p className="text-muted">None yet.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {subscriptions.map(({ messages_by_trigger: isByTrigger, ...subscription }) => {
          const name = names.get(subscription.workflow_id) ?? 'A workflow';
          const isOfTriggerOnly = isByTrigger && subscription.kinds.every((kind) => kind === 'messages');
          return (
            <li key={subscription.workflow_id} className="flex flex-wrap items-center gap-x-5 gap-y-2 py-2.5">
              <span className="min-w-32 flex-1 font-medium">{name}</span>
              {SUBSCRIPTION_KINDS.map((kind) => (
                <Checkbox
                  key={kind}
                  label={KIND_LABELS[kind]}
                  disabled={!canEdit || task.busy || (isByTrigger && kind === 'messages')}
                  checked={subscription.kinds.includes(kind)}
                  onCheckedChange={(checked) =>
                    void put(
                      { ...subscription, kinds: withKind(subscription.kinds, kind, checked) },
                      'Saved.',
                    )
                  }
                />
              ))}
              {canEdit && !isOfTriggerOnly && (
                <IconButton
                  label={`Stop starting ${name}`}
                  size="sm"
                  onClick={() =>
                    void task.run(
                      () =>
                        actions.removeSubscription({
                          id: connectionId,
                          workflowId: subscription.workflow_id,
                        }),
                      'Removed.',
                    )
                  }
                >
                  <Trash2 aria-hidden />
                </IconButton>
              )}
              {isByTrigger && (
                <p className="basis-full text-sm text-muted">
                  Starts on {describeMessages(subscription)}.{' '}
                  <Link
                    href={`/workflows/${subscription.workflow_id}`}
                    className="text-accent underline hover:no-underline"
                  >
                    Change it in the trigger
                  </Link>
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {canEdit && free.length > 0 && (
        <div className="mt-3 flex flex-wrap gap-2">
          <Select
            aria-label="Workflow"
            value={workflowId}
            onValueChange={setWorkflowId}
            placeholder="Select a workflow"
            options={free.map(({ id, name }) => ({ value: id, label: name }))}
            className="sm:w-64"
          />
          <Button disabled={workflowId === ''} loading={task.busy} onClick={() => void add()}>
            Add
          </Button>
        </div>
      )}
    </>
  );
}

const withKind = (kinds: readonly Kind[], kind: Kind, on: boolean): Kind[] =>
  on ? [...kinds, kind] : kinds.filter((each) => each !== kind);

const describeMessages = ({ words }: ConnectionSubscription): string =>
  words.length === 0 ? 'incoming messages' : `messages with ${words.map((word) => `“${word}”`).join(' or ')}`;

'use client';
import { Pencil, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog, Dialog } from '#components/ui/overlay/dialog.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { PageHeader } from '#components/ui/page.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ListedSubscription } from '#lib/messaging/connections/schema.ts';
import { ConnectButton } from './connect-button.tsx';
import type { ConnectionActions } from './connection-actions-types.ts';
import type { ConnectionRow, ReceiverView } from '#lib/screens/connection-types.ts';
import type { NamedWorkflow } from '#lib/screens/list-types.ts';
import { HealthBadge, HealthCheck } from './health.tsx';
import { Notifications } from './notifications.tsx';
import { PhoneNumbers } from './phone-numbers.tsx';
import { TokenLink } from './ways-to-connect.tsx';
import { TestMessage } from './sample-message.tsx';
import { useRecheck } from './use-recheck.ts';
import { useTask } from '#components/live/use-task.ts';

export interface ConnectionScreenProps {
  connection: ConnectionRow;
  subscriptions: readonly ListedSubscription[];
  workflows: readonly NamedWorkflow[];
  receiver: ReceiverView | null;
  canEdit: boolean;
  actions: ConnectionActions;
}

/** One connection with all its actions. */
export function ConnectionScreen(props: ConnectionScreenProps) {
  const { connection, canEdit, actions } = props;
  const { id } = connection;
  const checking = useRecheck([connection], actions.recheckConnections);
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-3">
            {connection.name} <HealthBadge connection={connection} checking={checking.has(id)} />
          </span>
        }
        back={{ href: '/connections', label: 'Connections' }}
        description={accountText(connection)}
        actions={
          canEdit && (
            <>
              <ConnectButton
                startLogin={actions.startLogin}
                connectionId={id}
                label="Reconnect"
                variant={connection.status === 'connected' ? 'secondary' : 'primary'}
              />
              {!connection.refreshes_itself && <TokenLink connectionId={id} />}
              <Rename connection={connection} rename={actions.renameConnection} />
              <Delete connection={connection} remove={actions.deleteConnection} />
            </>
          )
        }
      />
      {connection.status_reason && (
        <div className="mb-4">
          <Callout tone={connection.status === 'needs_reconnecting' ? 'danger' : 'warning'}>
            {connection.status_reason}
          </Callout>
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <HealthCheck connectionId={id} />
          <UsedBy workflows={connection.workflows} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <PhoneNumbers connectionId={id} register={canEdit ? actions.registerPhoneNumber : null} />
          {canEdit && <TestMessage connectionId={id} send={actions.sendTestMessage} />}
          <Notifications
            connectionId={id}
            receiver={props.receiver}
            subscriptions={props.subscriptions}
            workflows={props.workflows}
            actions={actions}
          />
        </div>
      </div>
    </>
  );
}

function accountText({ business_account_name: name, business_account_id: id }: ConnectionRow): string {
  if (id === null) return 'All accounts it can access';
  return name === null ? `Business account ${id}` : `${name} (${id})`;
}

const UsedBy = ({ workflows }: { workflows: readonly NamedWorkflow[] }) => (
  <Card title="Used by">
    {workflows.length === 0 ? (
      <p className="text-muted">Not used yet. Select this connection in a messaging task of a workflow.</p>
    ) : (
      <ul className="flex flex-col gap-1">
        {workflows.map(({ id, name }) => (
          <li key={id}>
            <Link href={`/workflows/${id}`} className="text-accent underline hover:no-underline">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    )}
  </Card>
);

function Rename({
  connection,
  rename,
}: {
  connection: ConnectionRow;
  rename: ConnectionActions['renameConnection'];
}) {
  const task = useTask();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(connection.name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await task.run(() => rename({ id: connection.id, name }), 'Renamed.')) setOpen(false);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setName(connection.name);
      }}
      trigger={<Button icon={<Pencil aria-hidden />}>Rename</Button>}
      title="Rename connection"
      size="sm"
    >
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label="Name">
          <Input value={name} maxLength={200} autoFocus onChange={(event) => setName(event.target.value)} />
        </Field>
        <div className="flex justify-end">
          <Button type="submit" variant="primary" loading={task.busy} disabled={name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Delete({
  connection,
  remove,
}: {
  connection: ConnectionRow;
  remove: ConnectionActions['deleteConnection'];
}) {
  const router = useRouter();
  const { workflows } = connection;
  const names = workflows.map(({ name }) => name).join(', ');
  const confirm = async () => {
    const result = await remove({ id: connection.id });
    if (!result.ok) {
      toast.error(result.error.message);
      return;
    }
    toast.success('Connection deleted.');
    router.push('/connections');
  };
  return (
    <ConfirmDialog
      trigger={<Button icon={<Trash2 aria-hidden />}>Delete</Button>}
      title={`Delete “${connection.name}”?`}
      description={
        workflows.length === 0
          ? 'Its tokens are deleted immediately. No workflow uses it.'
          : `Its tokens are deleted immediately, and these workflows can no longer send messages: ${names}. To renew an account, reconnect it instead.`
      }
      confirmLabel="Delete connection"
      danger
      onConfirm={confirm}
    />
  );
}

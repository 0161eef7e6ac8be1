'use client';
import { Mail, Trash2, Webhook, Workflow } from 'lucide-react';
import { useTransition } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { showActionError, toast } from '#components/ui/overlay/toaster.tsx';
import type { DestinationConfig } from '#lib/alerts/alert-types.ts';
import type { Destination } from '#lib/alerts/destinations/load-destinations.ts';
import { KIND_INFO } from '#lib/alerts/kinds.ts';
import type { DestinationActions } from './alert-actions.ts';
import type { DestinationChoices } from './config-fields.tsx';
import { DestinationDialog } from './destination-dialog.tsx';

const ICONS = { email: Mail, webhook: Webhook, workflow: Workflow };

export interface DestinationsCardProps extends DestinationChoices {
  destinations: readonly Destination[];
  /** The owners, who cannot be deleted. */
  ownersId: string;
  actions: DestinationActions;
}

/** The destinations of the workspace's alerts. */
export const DestinationsCard = ({ destinations, ownersId, actions, ...choices }: DestinationsCardProps) => (
  <Card
    title="Destinations"
    description="Where alerts go: to people by email, to a webhook, or to a workflow."
    actions={
      <DestinationDialog
        {...choices}
        actions={actions}
        trigger={<Button variant="primary">Add destination</Button>}
      />
    }
  >
    <ul aria-label="Destinations" className="-my-2 divide-y divide-line">
      {destinations.map((destination) => (
        <DestinationRow
          key={destination.id}
          {...choices}
          destination={destination}
          canDelete={destination.id !== ownersId}
          actions={actions}
        />
      ))}
    </ul>
  </Card>
);

interface DestinationRowProps extends DestinationChoices {
  destination: Destination;
  canDelete: boolean;
  actions: DestinationActions;
}

function DestinationRow({ destination, canDelete, actions, ...choices }: DestinationRowProps) {
  const { id, name, config, kinds, enabled } = destination;
  const [busy, startTransition] = useTransition();
  const Icon = ICONS[config.channel];
  const test = () =>
    startTransition(async () => {
      const sent = await actions.sendTest({ id });
      if (sent.ok) toast.success('Test alert queued. The list below shows its result.');
      else showActionError(sent.error);
    });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 font-medium break-words">
          {name}
          {!enabled && <Badge tone="warning">Off</Badge>}
        </p>
        <p className="text-sm break-words text-muted">{describe(config, choices)}</p>
        <p className="text-sm text-muted">
          {kinds.length === 0 ? 'No alerts selected' : kinds.map((kind) => KIND_INFO[kind].label).join(', ')}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <Button size="sm" loading={busy} onClick={test} aria-label={`Send a test alert to ${name}`}>
          Send test
        </Button>
        <DestinationDialog
          {...choices}
          destination={destination}
          actions={actions}
          trigger={
            <Button size="sm" aria-label={`Edit ${name}`}>
              Edit
            </Button>
          }
        />
        {canDelete && (
          <ConfirmDialog
            title={`Delete destination ${name}?`}
            description="It gets no more alerts, also from workflows that use it."
            confirmLabel="Delete destination"
            danger
            onConfirm={async () => {
              const removed = await actions.remove({ id });
              if (!removed.ok) showActionError(removed.error);
            }}
            trigger={
              <IconButton label={`Delete destination ${name}`} size="sm">
                <Trash2 aria-hidden />
              </IconButton>
            }
          />
        )}
      </div>
    </li>
  );
}

function describe(config: DestinationConfig, { members, workflows }: DestinationChoices): string {
  if (config.channel === 'webhook') return config.url;
  if (config.channel === 'workflow') {
    const workflow = workflows.find(({ id }) => id === config.workflow_id);
    return `Starts ${workflow ? `“${workflow.name}”` : 'a workflow that was deleted'}`;
  }
  const people = config.user_ids.flatMap((id) => members.find(({ userId }) => userId === id)?.email ?? []);
  return [...(config.owners ? ['All owners'] : []), ...people, ...config.addresses].join(', ') || 'Nobody';
}

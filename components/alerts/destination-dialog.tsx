'use client';
import { type FormEvent, type ReactElement, useId, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Dialog, DialogClose } from '#components/ui/overlay/dialog.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import { Switch } from '#components/ui/form/checkbox.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import type { Channel, DestinationConfig } from '#lib/alerts/alert-types.ts';
import type { Destination } from '#lib/alerts/destinations/load-destinations.ts';
import type { DestinationInput } from '#lib/alerts/destinations/schema.ts';
import type { DestinationActions } from './alert-actions.ts';
import { ConfigFields, type DestinationChoices, KindCheckboxes } from './config-fields.tsx';

const EMPTY: Readonly<Record<Channel, DestinationConfig>> = {
  email: { channel: 'email', owners: false, user_ids: [], addresses: [] },
  webhook: { channel: 'webhook', url: '' },
  workflow: { channel: 'workflow', workflow_id: '' },
};
const CHANNEL_OPTIONS = [
  { value: 'email', label: 'Email' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'workflow', label: 'Workflow' },
] as const;
const NEW: DestinationInput = { name: '', config: EMPTY.email, kinds: ['run_failed'], enabled: true };

export interface DestinationDialogProps extends DestinationChoices {
  /** Left out: a new one is added. */
  destination?: Destination;
  actions: Pick<DestinationActions, 'add' | 'change'>;
  trigger: ReactElement;
}

/** Form of a destination: recipients, kinds, target. */
export function DestinationDialog({
  destination,
  actions,
  trigger,
  members,
  workflows,
}: DestinationDialogProps) {
  const start = (): DestinationInput =>
    destination ? { ...destination, kinds: [...destination.kinds] } : NEW;
  const [open, setOpen] = useState(false);
  const [input, setInput] = useState(start);
  const [secret, setSecret] = useState<string>();
  const [error, setError] = useState<ActionError>();
  const [busy, startTransition] = useTransition();
  const form = useId();
  const change = (part: Partial<DestinationInput>) => setInput((before) => ({ ...before, ...part }));
  const changeOpen = (next: boolean) => {
    setOpen(next);
    setInput(start);
    setSecret(undefined);
    setError(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { name, kinds, enabled } = input;
    const given = { name, kinds, enabled, config: withoutEmptyLines(input.config) };
    startTransition(async () => {
      const saved = await (destination
        ? actions.change({ id: destination.id, ...given })
        : actions.add(given));
      if (!saved.ok) return setError(saved.error);
      if (saved.data?.secret) return setSecret(saved.data.secret);
      changeOpen(false);
      toast.success('Destination saved.');
    });
  };
  const problemOf = (path: string) => error?.problems.find((each) => each.path.startsWith(path))?.message;
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={destination ? `Edit ${destination.name}` : 'Add destination'}
      size="sm"
      trigger={trigger}
      footer={
        secret === undefined ? (
          <>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button type="submit" form={form} variant="primary" loading={busy}>
              {destination ? 'Save' : 'Add destination'}
            </Button>
          </>
        ) : (
          <DialogClose>
            <Button variant="primary">Done</Button>
          </DialogClose>
        )
      }
    >
      {secret === undefined ? (
        <form id={form} onSubmit={submit} className="flex flex-col gap-4">
          {error && error.problems.length === 0 && (
            <Callout tone="danger" live>
              {error.message}
            </Callout>
          )}
          {!destination && (
            <SegmentedControl
              label="Channel"
              className="self-start"
              options={CHANNEL_OPTIONS}
              value={input.config.channel}
              onValueChange={(channel) => change({ config: EMPTY[channel] })}
            />
          )}
          <Field label="Name" error={problemOf('name')}>
            <Input
              value={input.name}
              maxLength={100}
              placeholder="e.g. On call"
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
          <ConfigFields
            config={input.config}
            onChange={(config) => change({ config })}
            problemOf={(field) => problemOf(`config.${field}`)}
            members={members}
            workflows={workflows}
          />
          <KindCheckboxes legend="Alerts" value={input.kinds} onChange={(kinds) => change({ kinds })} />
          {destination && (
            <Switch
              label="Send alerts to this destination"
              checked={input.enabled}
              onCheckedChange={(enabled) => change({ enabled })}
            />
          )}
        </form>
      ) : (
        <Callout tone="success" live title="Copy the secret now. You won’t see it again.">
          <p className="mb-2">The receiver checks the signature of each alert with it.</p>
          <CodeBlock label="secret" code={secret} wrap />
        </Callout>
      )}
    </Dialog>
  );
}

const withoutEmptyLines = (config: DestinationConfig): DestinationConfig =>
  config.channel === 'email'
    ? { ...config, addresses: config.addresses.map((each) => each.trim()).filter((each) => each !== '') }
    : config;

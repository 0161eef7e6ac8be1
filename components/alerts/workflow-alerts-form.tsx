'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { problemAt } from '#components/ui/form/form-values.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import { ALERT_KINDS, KIND_INFO } from '#lib/alerts/kinds.ts';
import type { WorkflowAlertSettings } from '#lib/alerts/settings.ts';
import type { SaveWorkflowAlerts } from './alert-actions.ts';
import { KindCheckboxes } from './config-fields.tsx';

const KINDS = ALERT_KINDS.filter((kind) => KIND_INFO[kind].scope === 'workflow');

export interface WorkflowAlertsFormProps {
  workflowId: string;
  settings: WorkflowAlertSettings;
  destinations: readonly { id: string; name: string }[];
  /** Undefined for viewers. */
  save: SaveWorkflowAlerts | undefined;
}

/** Destinations of one workflow's alerts. */
export function WorkflowAlertsForm({ workflowId, settings, destinations, save }: WorkflowAlertsFormProps) {
  const [own, setOwn] = useState(settings.own);
  const [cooldown, setCooldown] = useState(String(settings.cooldown_minutes ?? ''));
  const [hours, setHours] = useState(String(settings.silence_hours ?? ''));
  const [error, setError] = useState<ActionError>();
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save) return;
    startTransition(async () => {
      const saved = await save({
        id: workflowId,
        own,
        cooldown_minutes: toNumber(cooldown),
        silence_hours: toNumber(hours),
      });
      setError(saved.ok ? undefined : saved.error);
      if (saved.ok) toast.success('Alerts of this workflow saved.');
    });
  };
  return (
    <form onSubmit={submit}>
      <Card
        title="Alerts of this workflow"
        description="Who gets an alert when it fails, goes quiet, or its incoming data changes."
        footer={
          save && (
            <Button type="submit" variant="primary" loading={busy}>
              Save
            </Button>
          )
        }
      >
        <fieldset disabled={!save} className="flex flex-col gap-5">
          {error && error.problems.length === 0 && (
            <Callout tone="danger" live>
              {error.message}
            </Callout>
          )}
          <SegmentedControl
            label="Destinations and alerts"
            className="self-start"
            options={[
              { value: 'workspace', label: 'Same as the workspace' },
              { value: 'own', label: 'Custom' },
            ]}
            value={own === null ? 'workspace' : 'own'}
            onValueChange={(value) =>
              setOwn(
                value === 'workspace'
                  ? null
                  : (settings.own ?? {
                      destination_ids: destinations.map(({ id }) => id).slice(0, 1),
                      kinds: ['run_failed'],
                    }),
              )
            }
          />
          {own && (
            <>
              <fieldset className="flex flex-col gap-3">
                <legend className="mb-2 text-sm font-medium">Destinations</legend>
                {destinations.map(({ id, name }) => (
                  <Checkbox
                    key={id}
                    label={name}
                    checked={own.destination_ids.includes(id)}
                    onCheckedChange={(isTold) =>
                      setOwn({
                        ...own,
                        destination_ids: isTold
                          ? [...own.destination_ids, id]
                          : own.destination_ids.filter((each) => each !== id),
                      })
                    }
                  />
                ))}
              </fieldset>
              <KindCheckboxes
                legend="Alerts"
                kinds={KINDS}
                value={own.kinds}
                onChange={(kinds) => setOwn({ ...own, kinds })}
              />
            </>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Minutes between alerts about failed runs"
              help="Also for undelivered messages. Leave empty to use the workspace’s setting."
              error={problemAt(error, 'cooldown_minutes')}
            >
              <Input
                inputMode="numeric"
                value={cooldown}
                onChange={(event) => setCooldown(event.target.value)}
              />
            </Field>
            <Field
              label="Hours without events"
              help="Leave empty to use the workspace’s setting."
              error={problemAt(error, 'silence_hours')}
            >
              <Input inputMode="numeric" value={hours} onChange={(event) => setHours(event.target.value)} />
            </Field>
          </div>
        </fieldset>
      </Card>
    </form>
  );
}

/** An invalid number is refused by the action, with its field. */
const toNumber = (text: string): number | null =>
  text.trim() === '' ? null : /^\d{1,6}$/.test(text.trim()) ? Number(text) : -1;

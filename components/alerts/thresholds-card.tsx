'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { problemAt } from '#components/ui/form/form-values.ts';
import { Input } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import { DIRECT_ALERTS, WINDOW_MINUTES } from '#lib/alerts/digests/weigh-window.ts';
import type { AlertSettings } from '#lib/alerts/settings.ts';
import type { SaveThresholds } from './alert-actions.ts';

type Name = keyof AlertSettings;

const FIELDS: readonly { name: Name; label: string; help: string; isOfInstallation?: true }[] = [
  {
    name: 'cooldown_minutes',
    label: 'Minutes between alerts about failed runs',
    help: 'For each workflow. Runs that fail in between come in one alert; so do undelivered messages.',
  },
  {
    name: 'connection_days',
    label: 'Days of notice',
    help: 'How long before a connection expires you get the alert.',
  },
  {
    name: 'silence_hours',
    label: 'Hours without events',
    help: 'Leave empty to learn it from how often each workflow is called.',
  },
  {
    name: 'queue_minutes',
    label: 'Minutes that runs may wait to start',
    help: 'For the whole installation.',
    isOfInstallation: true,
  },
  {
    name: 'disk_percent',
    label: 'Percent of a disk that must be free',
    help: 'For the whole installation.',
    isOfInstallation: true,
  },
  {
    name: 'database_gigabytes',
    label: 'Gigabytes that the database may have',
    help: 'For the whole installation, wherever its database is.',
    isOfInstallation: true,
  },
];

export interface ThresholdsCardProps {
  settings: AlertSettings;
  /** Alerts of the installation belong to this workspace. */
  isFirstWorkspace: boolean;
  save: SaveThresholds;
}

/** Thresholds of alerts. */
export function ThresholdsCard({ settings, isFirstWorkspace, save }: ThresholdsCardProps) {
  const fields = FIELDS.filter(({ isOfInstallation }) => isFirstWorkspace || !isOfInstallation);
  const [texts, setTexts] = useState(() => toTexts(settings));
  const [error, setError] = useState<ActionError>();
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const saved = await save(fromTexts(texts));
      setError(saved.ok ? undefined : saved.error);
      if (saved.ok) toast.success('Thresholds saved.');
    });
  };
  const isSaved = fields.every(({ name }) => texts[name].trim() === toTexts(settings)[name]);
  return (
    <form onSubmit={submit}>
      <Card
        title="Thresholds"
        description="Workflows can have their own: open a workflow and select “Alerts of this workflow” in its menu."
        footer={
          <Button type="submit" variant="primary" loading={busy} disabled={isSaved}>
            Save
          </Button>
        }
      >
        <p className="mb-4 text-sm text-muted">
          When many workflows fail within {WINDOW_MINUTES} minutes, each recipient gets the first{' '}
          {DIRECT_ALERTS} alerts one by one and the others in one digest. The same goes for all alerts about
          workflows. Every alert is listed below.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(({ name, label, help }) => (
            <Field key={name} label={label} help={help} error={problemAt(error, name)}>
              <Input
                inputMode="numeric"
                value={texts[name]}
                placeholder={name === 'silence_hours' ? 'Learned' : undefined}
                onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
              />
            </Field>
          ))}
        </div>
      </Card>
    </form>
  );
}

const toTexts = (settings: AlertSettings): Record<Name, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value ?? '')])) as Record<
    Name,
    string
  >;

/** An invalid number is refused by the action, with its field. */
const fromTexts = (texts: Record<Name, string>): AlertSettings =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      text.trim() === '' && name === 'silence_hours' ? null : toNumber(text),
    ]),
  ) as unknown as AlertSettings;

const toNumber = (text: string): number | null => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : -1);

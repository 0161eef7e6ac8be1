'use client';
import { type FormEvent, useOptimistic, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Switch } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { WebhookRate } from '#lib/identity/workspaces/schema.ts';
import type { RunLimit } from '#lib/workflows/schema.ts';

export interface OneFieldCardProps {
  title: string;
  description: string;
  label: string;
  help?: string;
  inputMode?: 'numeric';
  /** The saved value. */
  saved: string;
  save: (text: string) => Promise<ActionResult<unknown>>;
  /** Shown after saving. */
  success: string;
}

/** A setting with one line of text and its own save button. */
function OneFieldCard(props: OneFieldCardProps) {
  const { title, description, label, help, inputMode, saved, save, success } = props;
  const [text, setText] = useState(saved);
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const result = await save(text);
      setProblem(result.ok ? undefined : result.error.message);
      if (result.ok) toast.success(success);
    });
  };
  return (
    <form onSubmit={submit}>
      <Card
        title={title}
        description={description}
        footer={
          <Button type="submit" variant="primary" loading={busy} disabled={text.trim() === saved}>
            Save
          </Button>
        }
      >
        <Field label={label} help={help} error={problem} className="max-w-md">
          <Input inputMode={inputMode} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </Card>
    </form>
  );
}

export interface WorkspaceFormProps {
  name: string;
  rename: (input: { name: string }) => Promise<ActionResult<void>>;
}

export const WorkspaceForm = ({ name, rename }: WorkspaceFormProps) => (
  <OneFieldCard
    title="Workspace"
    description="Contains workflows, connections and members."
    label="Name"
    saved={name}
    save={(text) => rename({ name: text })}
    success="Workspace renamed"
  />
);

export interface MaskingCardProps {
  masksNumbers: boolean;
  change: (input: { masksNumbers: boolean }) => Promise<ActionResult<void>>;
}

export function MaskingCard({ masksNumbers, change }: MaskingCardProps) {
  const [shown, setShown] = useOptimistic(masksNumbers);
  const [, startTransition] = useTransition();
  const toggle = (next: boolean) =>
    startTransition(async () => {
      setShown(next);
      const changed = await change({ masksNumbers: next });
      if (!changed.ok) toast.error(changed.error.message);
    });
  return (
    <Card
      title="Customer phone numbers"
      description="Masked in lists for everyone. Editors and owners see the full number on a run or event page. Secrets are always masked."
    >
      <Switch label="Mask customer phone numbers" checked={shown} onCheckedChange={toggle} />
    </Card>
  );
}

export interface WebhookRateCardProps {
  /** Null: the server's default. */
  requestsPerSecond: number | null;
  /** 0: no limit. */
  serverDefault: number;
  change: (input: WebhookRate) => Promise<ActionResult<WebhookRate>>;
}

export function WebhookRateCard({ requestsPerSecond, serverDefault, change }: WebhookRateCardProps) {
  const fallback =
    serverDefault === 0 ? 'no limit' : `${serverDefault.toLocaleString('en')} webhooks per second`;
  return (
    <OneFieldCard
      title="Webhook rate limit"
      description="Requests over the limit get 429 and are not saved. Senders can try again a second later."
      label="Webhooks per second"
      help={`Leave it empty to use the server default: ${fallback}.`}
      inputMode="numeric"
      saved={requestsPerSecond === null ? '' : String(requestsPerSecond)}
      save={(text) => change({ requests_per_second: text.trim() === '' ? null : Number(text.trim()) })}
      success="Webhook rate limit saved"
    />
  );
}

export interface RunLimitCardProps {
  /** Null: no limit. */
  maxConcurrentRuns: number | null;
  change: (input: RunLimit) => Promise<ActionResult<RunLimit>>;
}

export function RunLimitCard({ maxConcurrentRuns, change }: RunLimitCardProps) {
  return (
    <OneFieldCard
      title="Runs at once"
      description="Over all workflows. Further runs wait in the order of their arrival. A run that waits, for an answer or a delay, counts; a run that another run calls does not."
      label="Runs at once"
      help="Leave it empty for no limit. It applies to runs that arrive from now on."
      inputMode="numeric"
      saved={maxConcurrentRuns === null ? '' : String(maxConcurrentRuns)}
      save={(text) => change({ max_concurrent_runs: text.trim() === '' ? null : Number(text.trim()) })}
      success="Limit of runs saved"
    />
  );
}

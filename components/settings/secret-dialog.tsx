'use client';
import { Trash2 } from 'lucide-react';
import { type ReactElement, useState, useTransition } from 'react';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { problemAt, problemOfForm, problemWithin } from '#components/ui/form/form-values.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Input, Textarea } from '#components/ui/form/input.tsx';
import { showActionError } from '#components/ui/overlay/toaster.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';

export interface SecretInput {
  name: string;
  value: string;
  allowed_hosts: string[];
}

export interface SecretDialogProps {
  title: string;
  confirmLabel: string;
  /** The secret whose value is replaced; left out: a new one. */
  name?: string;
  /** The hosts that it may currently be sent to. */
  allowedHosts?: readonly string[];
  save: (input: SecretInput) => Promise<ActionResult<void>>;
  trigger: ReactElement;
}

/** Splits hosts, one per line or separated by commas. */
const splitHosts = (text: string): string[] => text.split(/[\s,]+/).filter((host) => host !== '');

/** Asks for a secret's value, which is never shown again. */
export function SecretDialog({
  title,
  confirmLabel,
  name,
  allowedHosts = [],
  save,
  trigger,
}: SecretDialogProps) {
  const [open, setOpen] = useState(false);
  const [entered, setEntered] = useState('');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState(allowedHosts.join('\n'));
  const [error, setError] = useState<ActionError>();
  const [busy, startTransition] = useTransition();
  const changeOpen = (next: boolean) => {
    setOpen(next);
    setEntered('');
    setValue('');
    setHosts(allowedHosts.join('\n'));
    setError(undefined);
  };
  const submit = () =>
    startTransition(async () => {
      const saved = await save({ name: name ?? entered.trim(), value, allowed_hosts: splitHosts(hosts) });
      if (saved.ok) changeOpen(false);
      else setError(saved.error);
    });
  return (
    <FormDialog
      open={open}
      onOpenChange={changeOpen}
      title={title}
      description={
        name === undefined
          ? 'Use it in HTTP requests and to check callers of a webhook. Its value is never shown again.'
          : 'Tasks use the new value from their next execution on. The old value cannot be restored.'
      }
      trigger={trigger}
      submitLabel={confirmLabel}
      busy={busy}
      disabled={value.trim() === '' || (name ?? entered).trim() === ''}
      onSubmit={submit}
      problem={problemOfForm(error)}
    >
      {name === undefined && (
        <Field
          label="Name"
          error={problemAt(error, 'name')}
          help="Lowercase letters, digits and underscores. Tasks use it as {{secret.name}}."
        >
          <Input
            value={entered}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            placeholder="stripe_key"
            onChange={(event) => setEntered(event.target.value)}
          />
        </Field>
      )}
      <Field
        label={name === undefined ? 'Value' : 'New value'}
        error={problemAt(error, 'value')}
        help="Line breaks are kept, such as those of a private key."
      >
        <Textarea
          code
          rows={Math.min(8, value.split('\n').length)}
          // Masks like a password field, which would remove line breaks.
          className="resize-y [-webkit-text-security:disc]"
          autoComplete="off"
          autoCapitalize="off"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </Field>
      <Field
        label="Allowed hosts (optional)"
        error={problemWithin(error, 'allowed_hosts')}
        help="One per line. The secret is sent to these hosts only. Without any, the host must be text in the URL of each request."
      >
        <Textarea
          code
          rows={Math.min(6, Math.max(2, hosts.split('\n').length))}
          className="resize-y"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="api.stripe.com"
          value={hosts}
          onChange={(event) => setHosts(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

export interface DeleteSecretDialogProps {
  name: string;
  remove: (input: { name: string }) => Promise<ActionResult<void>>;
}

/** Deletes a secret; one that workflows use is refused, and the message names them. */
export function DeleteSecretDialog({ name, remove }: DeleteSecretDialogProps) {
  return (
    <ConfirmDialog
      title={`Delete secret ${name}?`}
      description="Its value cannot be restored. A secret that a workflow uses cannot be deleted."
      confirmLabel="Delete secret"
      danger
      onConfirm={async () => {
        const removed = await remove({ name });
        if (!removed.ok) showActionError({ ...removed.error, problems: [] });
      }}
      trigger={
        <IconButton label={`Delete secret ${name}`} size="sm">
          <Trash2 aria-hidden />
        </IconButton>
      }
    />
  );
}

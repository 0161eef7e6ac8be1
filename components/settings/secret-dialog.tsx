'use client';
import { type ReactElement, useState, useTransition } from 'react';
import { problemAt, problemOfForm } from '#components/ui/action-problems.ts';
import { Field } from '#components/ui/field.tsx';
import { FormDialog } from '#components/ui/form-dialog.tsx';
import { Input } from '#components/ui/input.tsx';
import { Textarea } from '#components/ui/textarea.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';

export interface SecretDialogProps {
  title: string;
  confirmLabel: string;
  /** Of the secret whose value is replaced; left out: it is asked for. */
  name?: string;
  save: (input: { name: string; value: string }) => Promise<ActionResult<void>>;
  trigger: ReactElement;
}

/** Asks for a secret's value, which nobody sees again. */
export function SecretDialog({ title, confirmLabel, name, save, trigger }: SecretDialogProps) {
  const [open, setOpen] = useState(false);
  const [entered, setEntered] = useState('');
  const [value, setValue] = useState('');
  const [error, setError] = useState<ActionError>();
  const [busy, startTransition] = useTransition();
  const changeOpen = (next: boolean) => {
    setOpen(next);
    setEntered('');
    setValue('');
    setError(undefined);
  };
  const submit = () =>
    startTransition(async () => {
      const saved = await save({ name: name ?? entered.trim(), value });
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
          // Dots, as in a password field, which would lose line breaks.
          className="resize-y [-webkit-text-security:disc]"
          autoComplete="off"
          autoCapitalize="off"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

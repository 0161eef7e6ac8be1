'use client';
import { type ReactElement, type ReactNode, useState, useTransition } from 'react';
import { CodeInput } from '#components/auth/code-input.tsx';
import { problemAt, problemOfForm, readForm } from '#components/ui/form/form-values.ts';
import { Field } from '#components/ui/form/field.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { Input } from '#components/ui/form/input.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import type { NeededProof, Proof } from '#lib/identity/passkeys/needed-proof.ts';

export type { Proof };

export interface ProofDialogProps<Data> {
  title: string;
  description: string;
  confirmLabel: string;
  danger?: boolean;
  trigger: ReactElement;
  asksFor?: NeededProof;
  /** Further fields. @param problemAt the problem of a field, by its name */
  fields?: (problemAt: (path: string) => string | undefined) => ReactNode;
  /** @param given the values of `fields`, by their names */
  work: (proof: Proof, given: Readonly<Record<string, string>>) => Promise<ActionResult<Data>>;
  /** Shown after success; without it the dialog closes. */
  result?: (data: Data) => ReactNode;
  onClosed?: () => void;
}

/** Asks for password and code, or other proof, before an account's sign-in methods change. */
export function ProofDialog<Data>(props: ProofDialogProps<Data>) {
  const { title, description, confirmLabel, danger = false, trigger, work, result, onClosed } = props;
  const { asksFor = 'password_and_code', fields } = props;
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState<{ data: Data }>();
  const [error, setError] = useState<ActionError>();
  const [busy, startTransition] = useTransition();
  const changeOpen = (next: boolean) => {
    setOpen(next);
    setError(undefined);
    setDone(undefined);
    if (!next) onClosed?.();
  };
  const submit = (form: HTMLFormElement) => {
    const { password = '', code = '', ...given } = readForm(form);
    startTransition(async () => {
      const answer = await work({ password, code }, given);
      if (!answer.ok) setError(answer.error);
      else if (result) setDone({ data: answer.data });
      else changeOpen(false);
    });
  };
  const at = (path: string) => problemAt(error, path);
  return (
    <FormDialog
      open={open}
      onOpenChange={changeOpen}
      title={title}
      description={description}
      trigger={trigger}
      submitLabel={confirmLabel}
      danger={danger}
      busy={busy}
      noValidate
      onSubmit={submit}
      problem={problemOfForm(error)}
      result={done && result?.(done.data)}
    >
      {fields?.(at)}
      {(asksFor !== 'none' || at('password')) && (
        <Field label="Password" error={at('password')}>
          <Input name="password" type="password" autoComplete="current-password" required />
        </Field>
      )}
      {(asksFor === 'password_and_code' || at('code')) && (
        <Field label="Code" help="From your app, or a recovery code." error={at('code')}>
          <CodeInput maxLength={60} />
        </Field>
      )}
    </FormDialog>
  );
}

'use client';
import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { readForm } from '#components/ui/read-form.ts';
import { signIn } from './sign-in.ts';
import type { ActionError, ActionResult } from '#lib/auth/action-types.ts';

export interface NewAccountFormProps {
  create: (account: { email: string; password: string }) => Promise<ActionResult<void>>;
  submitLabel: string;
  returnPath: string;
}

/** Makes an account and signs in with it. */
export function NewAccountForm({ create, submitLabel, returnPath }: NewAccountFormProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);
  const problemAt = (path: string) => error?.problems.find((problem) => problem.path === path)?.message;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = '', password = '' } = readForm(event.currentTarget);
    const account = { email, password };
    setBusy(true);
    const made = await create(account);
    if (!made.ok) {
      setError(made.error);
      return setBusy(false);
    }
    await signIn('credentials', { redirect: false, ...account });
    window.location.assign(returnPath);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="mt-5 flex flex-col gap-4">
      {error && error.problems.length === 0 && (
        <Callout tone="danger" live>
          {error.message}
        </Callout>
      )}
      <Field label="E-mail address" error={problemAt('email')}>
        <Input name="email" type="email" autoComplete="username" required autoFocus />
      </Field>
      <Field
        label="Password"
        help="At least 12 characters: a few words in a row do well."
        error={problemAt('password')}
      >
        <Input name="password" type="password" autoComplete="new-password" required />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        {submitLabel}
      </Button>
    </form>
  );
}

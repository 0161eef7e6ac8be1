'use client';
import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { problemAt, readForm } from '#components/ui/form/form-values.ts';
import { getBrowserZone } from '#components/ui/format.ts';
import { signIn } from './sign-in.ts';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';

export interface NewAccountFormProps {
  create: (account: {
    email: string;
    password: string;
    setupCode?: string;
    zone?: string;
  }) => Promise<ActionResult<void>>;
  submitLabel: string;
  returnPath: string;
  /** The account is for this address only; left out: the user enters one. */
  forEmail?: string | undefined;
  /** Requires the code that was printed at the start. */
  asksForSetupCode?: boolean;
  /** The account comes with a workspace, which gets the time zone of the browser. */
  startsWorkspace?: boolean;
}

/** Creates an account and signs in with it. */
export function NewAccountForm({
  create,
  submitLabel,
  returnPath,
  forEmail,
  asksForSetupCode = false,
  startsWorkspace = false,
}: NewAccountFormProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = '', password = '', setupCode = '' } = readForm(event.currentTarget);
    const account = { email, password };
    setBusy(true);
    const made = await create({
      ...account,
      ...(asksForSetupCode && { setupCode }),
      ...(startsWorkspace && { zone: getBrowserZone() }),
    });
    if (!made.ok) {
      setError(made.error);
      return setBusy(false);
    }
    await signIn('credentials', { redirect: false, ...account });
    window.location.assign(returnPath);
  };
  return (
    // POST: if submitted before the page's scripts have loaded, GET would put the password into the URL.
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="mt-5 flex flex-col gap-4"
    >
      {error && error.problems.length === 0 && (
        <Callout tone="danger" live>
          {error.message}
        </Callout>
      )}
      {asksForSetupCode && (
        <Field
          label="Setup code"
          help="Patchbay printed it in the terminal when it started."
          error={problemAt(error, 'setupCode')}
        >
          <Input name="setupCode" autoComplete="off" spellCheck={false} required autoFocus />
        </Field>
      )}
      <Field
        label="Email address"
        help={forEmail && 'The invitation is for this address.'}
        error={problemAt(error, 'email')}
      >
        <Input
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus={!asksForSetupCode && !forEmail}
          {...(forEmail ? { readOnly: true, value: forEmail } : {})}
        />
      </Field>
      <Field
        label="Password"
        help="At least 12 characters. A few words in a row work well."
        error={problemAt(error, 'password')}
      >
        <Input name="password" type="password" autoComplete="new-password" required autoFocus={!!forEmail} />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        {submitLabel}
      </Button>
    </form>
  );
}

'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { readForm } from '#components/ui/read-form.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

/** Requests a link by mail. It never shows whether the account exists. */
export function ForgotPasswordForm({
  request,
}: {
  request: (input: { email: string }) => Promise<ActionResult<void>>;
}) {
  const [sentTo, setSentTo] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = '' } = readForm(event.currentTarget);
    startTransition(async () => {
      const answer = await request({ email });
      setProblem(answer.ok ? '' : answer.error.message);
      if (answer.ok) setSentTo(email);
    });
  };
  if (sentTo)
    return (
      <Callout tone="success" title="Check your inbox" live>
        If {sentTo} has an account with a password, we sent a link to set a new one. It works for one hour.
      </Callout>
    );
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-muted">Enter your email address. We’ll send you a link to set a new password.</p>
      <Field label="Email address" error={problem || undefined}>
        <Input name="email" type="email" autoComplete="username" required autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        Send link
      </Button>
    </form>
  );
}

'use client';
import Link from 'next/link';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { readForm } from '#components/ui/form/form-values.ts';
import { Input } from '#components/ui/form/input.tsx';
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

export interface NewPasswordFormProps {
  email: string;
  setPassword: (input: { password: string }) => Promise<ActionResult<{ email: string }>>;
}

/** The page of a mailed link. */
export function NewPasswordForm({ email, setPassword }: NewPasswordFormProps) {
  const [isDone, setDone] = useState(false);
  const [problem, setProblem] = useState('');
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password = '' } = readForm(event.currentTarget);
    startTransition(async () => {
      const answer = await setPassword({ password });
      setProblem(answer.ok ? '' : answer.error.message);
      setDone(answer.ok);
    });
  };
  if (isDone)
    return (
      <Callout tone="success" title="Password changed" live>
        You were signed out everywhere.{' '}
        <Link href="/sign-in" className="font-medium underline underline-offset-2">
          Sign in
        </Link>
      </Callout>
    );
  return (
    // POST: if submitted before the page's scripts have loaded, GET would put the password into the URL.
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-muted">For {email}. You’ll be signed out everywhere.</p>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field
        label="New password"
        help="At least 12 characters. A few words in a row work well."
        error={problem || undefined}
      >
        <Input name="password" type="password" autoComplete="new-password" required autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        Set password
      </Button>
    </form>
  );
}

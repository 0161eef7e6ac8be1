'use client';
import { type FormEvent, useRef, useState, useTransition } from 'react';
import { problemAt, readForm } from '#components/ui/form/form-values.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';

export interface PasswordFormProps {
  email: string;
  /** False for accounts of the identity provider: they may set one. */
  hasPassword: boolean;
  setPassword: (input: {
    currentPassword: string;
    newPassword: string;
  }) => Promise<ActionResult<{ endedSessions: number }>>;
}

export function PasswordForm({ email, hasPassword, setPassword }: PasswordFormProps) {
  const [error, setError] = useState<ActionError | null>(null);
  const [busy, startTransition] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentPassword = '', newPassword = '' } = readForm(event.currentTarget);
    startTransition(async () => {
      const changed = await setPassword({ currentPassword, newPassword });
      setError(changed.ok ? null : changed.error);
      if (!changed.ok) return;
      form.current?.reset();
      toast.success('Password changed', { description: 'You were signed out in all other browsers.' });
    });
  };
  return (
    // POST: if submitted before the page's scripts have loaded, GET would put the password into the URL.
    <form ref={form} method="post" onSubmit={submit} noValidate>
      <Card
        title="Password"
        description={`You are signed in as ${email}.`}
        footer={
          <Button type="submit" variant="primary" loading={busy}>
            {hasPassword ? 'Change password' : 'Set a password'}
          </Button>
        }
      >
        <div className="flex max-w-md flex-col gap-4">
          {error && error.problems.length === 0 && (
            <Callout tone="danger" live>
              {error.message}
            </Callout>
          )}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          {hasPassword && (
            <Field label="Current password" error={problemAt(error, 'currentPassword')}>
              <Input name="currentPassword" type="password" autoComplete="current-password" required />
            </Field>
          )}
          <Field
            label="New password"
            help="At least 12 characters. A few words in a row work well."
            error={problemAt(error, 'newPassword')}
          >
            <Input name="newPassword" type="password" autoComplete="new-password" required />
          </Field>
        </div>
      </Card>
    </form>
  );
}

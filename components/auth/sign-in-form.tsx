'use client';
import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { ProviderButton } from './provider-button.tsx';
import { readForm } from '#components/ui/read-form.ts';
import { readSignInError } from './sign-in-error.ts';
import { signIn } from './sign-in.ts';

export interface SignInFormProps {
  returnPath: string;
  /** The identity provider sent us back without success. */
  failed: boolean;
  provider: { id: string; name: string } | null;
}

export function SignInForm({ returnPath, failed, provider }: SignInFormProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(
    failed ? 'Signing in did not work. Try again, or contact the administrator of this installation.' : '',
  );
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = '', password = '' } = readForm(event.currentTarget);
    setBusy(true);
    setProblem('');
    const answer = await signIn('credentials', {
      redirect: false,
      email,
      password,
    }).catch(() => undefined);
    if (answer?.ok && !answer.error) return window.location.assign(returnPath);
    setProblem(readSignInError(answer?.error));
    setBusy(false);
  };
  return (
    <>
      {/* POST: sent before the page's scripts are there, it would put the password into the address. */}
      <form method="post" onSubmit={(event) => void submit(event)} className="mt-5 flex flex-col gap-4">
        {problem && (
          <Callout tone="danger" live>
            {problem}
          </Callout>
        )}
        <Field label="Email address">
          <Input name="email" type="email" autoComplete="username" required autoFocus />
        </Field>
        <Field label="Password">
          <Input name="password" type="password" autoComplete="current-password" required />
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={busy}>
          Sign in
        </Button>
      </form>
      {provider && <ProviderButton {...provider} returnPath={returnPath} />}
    </>
  );
}

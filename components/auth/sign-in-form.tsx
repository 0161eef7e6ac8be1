'use client';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButton } from './provider-button.tsx';
import { readForm } from '#components/ui/read-form.ts';
import { type CountCodesLeft, SecondStepForm } from './second-step-form.tsx';
import { NEEDS_SECOND_STEP } from '#lib/identity/auth/second-step-names.ts';
import { readSignInError } from './sign-in-error.ts';
import { sendPasskeyAnswer, signInWithPasskey, type StartPasskey } from './sign-in-with-passkey.ts';
import { signIn } from './sign-in.ts';
import { usePasskeyAutofill } from './use-passkey-autofill.ts';

export interface SignInFormProps {
  returnPath: string;
  /** Why signing in with the identity provider has failed; empty: it has not. */
  problem: string;
  provider: { id: string; name: string } | null;
  countCodesLeft: CountCodesLeft;
  /** Null: no account has a passkey. */
  startPasskey: StartPasskey | null;
}

export function SignInForm(props: SignInFormProps) {
  const { returnPath, problem: givenProblem, provider, countCodesLeft, startPasskey } = props;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(givenProblem);
  const [needsCode, setNeedsCode] = useState(false);
  const [usesPasskey, setUsesPasskey] = useState(false);
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
    if (answer?.error === NEEDS_SECOND_STEP) return setNeedsCode(true);
    setProblem(readSignInError(answer?.error));
    setBusy(false);
  };
  const enterWithPasskey = async (work: () => Promise<string>) => {
    setUsesPasskey(true);
    setProblem('');
    const found = await work().catch(() => readSignInError(undefined));
    if (found === '') return window.location.assign(returnPath);
    setProblem(found);
    setUsesPasskey(false);
  };
  usePasskeyAutofill({
    start: busy || needsCode || usesPasskey ? null : startPasskey,
    onAnswer: (answer) => void enterWithPasskey(() => sendPasskeyAnswer(answer)),
  });
  const startAgain = (why: string) => {
    setNeedsCode(false);
    setBusy(false);
    setProblem(why);
  };
  if (needsCode)
    return <SecondStepForm returnPath={returnPath} countCodesLeft={countCodesLeft} startAgain={startAgain} />;
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
          <Input
            name="email"
            type="email"
            autoComplete={startPasskey ? 'username webauthn' : 'username'}
            required
            autoFocus
          />
        </Field>
        <Field label="Password">
          <Input name="password" type="password" autoComplete="current-password" required />
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={busy}>
          Sign in
        </Button>
      </form>
      {startPasskey && (
        <PasskeyButton
          busy={usesPasskey}
          onClick={() => void enterWithPasskey(() => signInWithPasskey(startPasskey))}
        />
      )}
      <p className="mt-4 text-center text-sm">
        <Link href="/forgot-password" className="font-medium text-accent underline underline-offset-2">
          Forgot your password?
        </Link>
      </p>
      {provider && <ProviderButton {...provider} returnPath={returnPath} />}
    </>
  );
}

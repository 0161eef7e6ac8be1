'use client';
import { Fingerprint } from 'lucide-react';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { readForm } from '#components/ui/form/form-values.ts';
import { Input } from '#components/ui/form/input.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import {
  NEEDS_SECOND_STEP,
  SECOND_STEP_PROVIDER_ID,
  SIGN_IN_EXPIRED,
} from '#lib/identity/auth/provider-names.ts';
import { CodeInput } from './code-input.tsx';
import { ProviderButton } from './provider-button.tsx';
import {
  sendPasskeyAnswer,
  signInWithPasskey,
  type StartPasskey,
  usePasskeyAutofill,
} from './sign-in-with-passkey.ts';
import { readSignInError, signIn } from './sign-in.ts';

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

/** Signs in with a passkey. */
const PasskeyButton = ({ busy, onClick }: { busy: boolean; onClick: () => void }) => (
  <Button
    size="lg"
    className="mt-3 w-full"
    icon={<Fingerprint aria-hidden />}
    loading={busy}
    onClick={onClick}
  >
    Sign in with a passkey
  </Button>
);

type CountCodesLeft = (input: Record<string, never>) => Promise<ActionResult<{ left: number }>>;

export interface SecondStepFormProps {
  returnPath: string;
  countCodesLeft: CountCodesLeft;
  /** Returns to the password. */
  startAgain: (why: string) => void;
}

/** After the right password: a code of the app, or a recovery code. */
function SecondStepForm({ returnPath, countCodesLeft, startAgain }: SecondStepFormProps) {
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const [codesLeft, setCodesLeft] = useState<number>();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const enter = () => window.location.assign(returnPath);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { code = '' } = readForm(event.currentTarget);
    setBusy(true);
    setProblem('');
    const answer = await signIn(SECOND_STEP_PROVIDER_ID, { redirect: false, code }).catch(() => undefined);
    if (answer?.ok && !answer.error) return usesRecoveryCode ? tellCodesLeft() : enter();
    if (answer?.error === SIGN_IN_EXPIRED) return startAgain(readSignInError(answer.error));
    setProblem(readSignInError(answer?.error));
    setBusy(false);
  };
  const tellCodesLeft = async () => {
    const counted = await countCodesLeft({}).catch(() => undefined);
    if (counted?.ok) setCodesLeft(counted.data.left);
    else enter();
  };
  const change = () => {
    setUsesRecoveryCode(!usesRecoveryCode);
    setProblem('');
  };
  if (codesLeft !== undefined)
    return (
      <div className="mt-5 flex flex-col gap-4">
        <Callout tone={codesLeft > 0 ? 'info' : 'warning'} title="You used a recovery code" live>
          {codesLeft === 1 ? '1 code is' : `${codesLeft === 0 ? 'No' : codesLeft} codes are`} left. Create new
          ones in Settings → Your account.
        </Callout>
        <Button variant="primary" size="lg" onClick={enter}>
          Continue
        </Button>
      </div>
    );
  return (
    <>
      <form
        key={String(usesRecoveryCode)}
        method="post"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="mt-5 flex flex-col gap-4"
      >
        {usesRecoveryCode ? (
          <Field label="Recovery code" help="Each one works once." error={problem || undefined}>
            <CodeInput autoComplete="off" maxLength={60} autoFocus />
          </Field>
        ) : (
          <Field label="Code from your authenticator app" error={problem || undefined}>
            <CodeInput inputMode="numeric" maxLength={10} autoFocus />
          </Field>
        )}
        <Button type="submit" variant="primary" size="lg" loading={busy}>
          Verify
        </Button>
      </form>
      <div className="mt-4 flex flex-wrap justify-center gap-x-6 gap-y-1 text-sm">
        <TextButton onClick={change}>
          {usesRecoveryCode ? 'Use your authenticator app' : 'Use a recovery code'}
        </TextButton>
        <TextButton onClick={() => startAgain('')}>Use another account</TextButton>
      </div>
    </>
  );
}

const TextButton = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <button type="button" onClick={onClick} className="font-medium text-accent underline underline-offset-2">
    {children}
  </button>
);

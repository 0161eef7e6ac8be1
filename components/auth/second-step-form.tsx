'use client';
import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Field } from '#components/ui/field.tsx';
import { readForm } from '#components/ui/read-form.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { SECOND_STEP_PROVIDER_ID, SIGN_IN_EXPIRED } from '#lib/identity/auth/second-step-names.ts';
import { CodeInput } from './code-input.tsx';
import { readSignInError } from './sign-in-error.ts';
import { signIn } from './sign-in.ts';

export type CountCodesLeft = (input: Record<string, never>) => Promise<ActionResult<{ left: number }>>;

export interface SecondStepFormProps {
  returnPath: string;
  countCodesLeft: CountCodesLeft;
  /** Returns to the password. */
  startAgain: (why: string) => void;
}

/** After the right password: a code of the app, or a recovery code. */
export function SecondStepForm({ returnPath, countCodesLeft, startAgain }: SecondStepFormProps) {
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

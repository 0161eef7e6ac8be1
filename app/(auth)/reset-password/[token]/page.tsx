import type { Metadata } from 'next';
import Link from 'next/link';
import { BackToSignIn } from '#components/auth/back-to-sign-in.tsx';
import { NewPasswordForm } from '#components/auth/password-reset-forms.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { findPasswordReset } from '#lib/identity/auth/password-reset.ts';
import { setNewPassword } from '../../actions.ts';

export const metadata: Metadata = { title: 'Set a new password', referrer: 'no-referrer' };

export default async function ResetPasswordPage({ params }: PageProps<'/reset-password/[token]'>) {
  const { token } = await params;
  const { db } = await processRuntime();
  const reset = await findPasswordReset(db, token);
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">Set a new password</h1>
      {reset ? (
        <NewPasswordForm email={reset.email} setPassword={setNewPassword.bind(null, token)} />
      ) : (
        <Callout tone="warning" title="This link cannot be used">
          It was already used or has expired.{' '}
          <Link href="/forgot-password" className="font-medium underline underline-offset-2">
            Request a new one
          </Link>
          .
        </Callout>
      )}
      {!reset && <BackToSignIn />}
    </>
  );
}

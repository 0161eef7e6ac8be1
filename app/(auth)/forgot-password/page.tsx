import type { Metadata } from 'next';
import { BackToSignIn } from '#components/auth/back-to-sign-in.tsx';
import { ForgotPasswordForm } from '#components/auth/password-reset-forms.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { env } from '#lib/core/env.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { getSignInPolicy } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { describeMailSetup } from '#lib/mail/transport.ts';
import { requestReset } from '../actions.ts';

export const metadata: Metadata = { title: 'Forgot your password?' };

export default async function ForgotPasswordPage() {
  const { requiresIdentity } = await getSignInPolicy((await processRuntime()).db);
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">Forgot your password?</h1>
      {requiresIdentity && (
        <div className="mb-4">
          <Callout tone="info">
            Only break-glass owners use a password here. Everybody else signs in with {env().AUTH_OIDC_NAME}{' '}
            and gets no email.
          </Callout>
        </div>
      )}
      {describeMailSetup(env()) ? (
        <ForgotPasswordForm request={requestReset} />
      ) : (
        <Callout tone="warning" title="This installation can’t send email">
          Ask your administrator for a new password: the command is <code>patchbay reset-password</code>.
        </Callout>
      )}
      <BackToSignIn />
    </>
  );
}

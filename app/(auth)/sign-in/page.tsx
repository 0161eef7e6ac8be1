import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { RequiredSignIn } from '#components/auth/required-sign-in.tsx';
import { SignInForm } from '#components/auth/sign-in-form.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { isFirstStart } from '#lib/identity/auth/create-account.ts';
import { findProviderChoice } from '#lib/identity/auth/oidc/oidc-provider.ts';
import { readReturnPath } from '#lib/identity/auth/return-path.ts';
import { findUser } from '#lib/identity/auth/session.ts';
import { SIGN_IN_PROBLEM_COOKIE, describeSignInProblem } from '#lib/identity/auth/sign-in-problem.ts';
import { hasAnyPasskey } from '#lib/identity/passkeys/edit-passkeys.ts';
import { findRelyingParty } from '#lib/identity/passkeys/relying-party.ts';
import { getSignInPolicy } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { env } from '#lib/core/env.ts';
import { startPasskey } from '../actions.ts';
import { countCodesLeft } from '../../(studio)/settings/account/actions.ts';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const { next, error, break_glass: breakGlass } = await searchParams;
  const returnPath = readReturnPath(next);
  if (await findUser()) redirect(returnPath);
  const { db } = await processRuntime();
  if (await isFirstStart(db)) redirect('/welcome');
  const settings = env();
  const provider = findProviderChoice(settings);
  const { requiresIdentity } = await getSignInPolicy(db);
  const code = (await cookies()).get(SIGN_IN_PROBLEM_COOKIE)?.value;
  const problem = error === undefined ? '' : describeSignInProblem(code, settings.AUTH_OIDC_NAME);
  const usesPasskeys = findRelyingParty(settings.BASE_URL) !== null && (await hasAnyPasskey(db));
  const isBreakGlass = requiresIdentity && breakGlass !== undefined;
  return (
    <>
      <h1 className="text-xl font-semibold">{isBreakGlass ? 'Break-glass sign-in' : 'Sign in'}</h1>
      {isBreakGlass && (
        <div className="mt-4">
          <Callout tone="warning">
            Only for break-glass owners, for when {settings.AUTH_OIDC_NAME} cannot be used. The audit log
            records it, and the other owners get an email.{' '}
            <Link href="/sign-in" className="font-medium underline underline-offset-2">
              Back to sign in
            </Link>
          </Callout>
        </div>
      )}
      {requiresIdentity && !isBreakGlass ? (
        <RequiredSignIn returnPath={returnPath} problem={problem} provider={provider} />
      ) : (
        <SignInForm
          returnPath={returnPath}
          problem={problem}
          provider={isBreakGlass ? null : provider}
          countCodesLeft={countCodesLeft}
          startPasskey={usesPasskeys ? startPasskey : null}
        />
      )}
    </>
  );
}

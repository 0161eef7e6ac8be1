import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInForm } from '#components/auth/sign-in-form.tsx';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { isFirstStart } from '#lib/identity/auth/create-account.ts';
import { OIDC_PROVIDER_ID } from '#lib/identity/auth/next-auth-options.ts';
import { readReturnPath } from '#lib/identity/auth/return-path.ts';
import { findUser } from '#lib/identity/auth/session.ts';
import { env } from '#lib/core/env.ts';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const { next, error } = await searchParams;
  const returnPath = readReturnPath(next);
  if (await findUser()) redirect(returnPath);
  const { db } = await processRuntime();
  if (await isFirstStart(db)) redirect('/welcome');
  const { AUTH_OIDC_ISSUER, AUTH_OIDC_NAME } = env();
  return (
    <>
      <h1 className="text-xl font-semibold">Sign in</h1>
      <SignInForm
        returnPath={returnPath}
        failed={error !== undefined}
        provider={AUTH_OIDC_ISSUER ? { id: OIDC_PROVIDER_ID, name: AUTH_OIDC_NAME } : null}
      />
    </>
  );
}

import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { NewAccountForm } from '#components/auth/new-account-form.tsx';
import { ProviderButton } from '#components/auth/provider-button.tsx';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { isFirstStart, needsSetupCode } from '#lib/identity/auth/create-account.ts';
import { findProviderChoice } from '#lib/identity/auth/oidc/oidc-provider.ts';
import { env } from '#lib/core/env.ts';
import { createOwner } from '../actions.ts';

export const metadata: Metadata = { title: 'Welcome' };

export default async function WelcomePage() {
  const { db } = await processRuntime();
  if (!(await isFirstStart(db))) redirect('/sign-in');
  const settings = env();
  const provider = findProviderChoice(settings);
  const asksForSetupCode = needsSetupCode(settings, (await headers()).get('host'));
  return (
    <>
      <h1 className="text-xl font-semibold">Welcome to Patchbay</h1>
      <p className="mt-1 text-muted">
        No accounts exist yet. Create yours: it owns the first workspace and can invite others.
      </p>
      <NewAccountForm
        create={createOwner}
        submitLabel="Create the owner account"
        returnPath="/workflows"
        asksForSetupCode={asksForSetupCode}
        startsWorkspace
      />
      {provider && !asksForSetupCode && (
        <ProviderButton {...provider} returnPath="/workflows" startsWorkspace />
      )}
    </>
  );
}

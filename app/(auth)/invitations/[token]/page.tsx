import type { Metadata } from 'next';
import Link from 'next/link';
import { BackToSignIn } from '#components/auth/back-to-sign-in.tsx';
import { JoinButton, OtherAccount } from '#components/auth/invitation.tsx';
import { NewAccountForm } from '#components/auth/new-account-form.tsx';
import { ProviderButton } from '#components/auth/provider-button.tsx';
import { RequiredSignIn } from '#components/auth/required-sign-in.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { env } from '#lib/core/env.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { findProviderChoice } from '#lib/identity/auth/oidc/oidc-provider.ts';
import { findUser } from '#lib/identity/auth/session.ts';
import { findInvitation } from '#lib/identity/members/invitations.ts';
import { ROLE_DESCRIPTIONS, ROLE_LABELS } from '#lib/identity/roles/roles.ts';
import { getSignInPolicy } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { createInvited, joinWorkspace, signOutToJoin } from '../../actions.ts';

export const metadata: Metadata = { title: 'Invitation', referrer: 'no-referrer' };

export default async function InvitationPage({ params }: PageProps<'/invitations/[token]'>) {
  const { token } = await params;
  const { db } = await processRuntime();
  const invitation = await findInvitation(db, token);
  if (!invitation) {
    return (
      <>
        <h1 className="mb-4 text-xl font-semibold">Invitation</h1>
        <Callout tone="warning" title="This invitation cannot be used">
          It was already used, was revoked, or has expired. Ask the person who sent it for a new one.
        </Callout>
        <BackToSignIn />
      </>
    );
  }
  const user = await findUser();
  const { workspaceName, role, email } = invitation;
  const isForAnother = user !== null && email !== null && email !== user.email;
  const { requiresIdentity } = await getSignInPolicy(db);
  const provider = findProviderChoice(env());
  return (
    <>
      <h1 className="text-xl font-semibold">Join “{workspaceName}”</h1>
      <p className="mt-1 text-muted">
        You are invited as {ROLE_LABELS[role]}. {ROLE_DESCRIPTIONS[role].replace(/^Can /, 'You can ')}
      </p>
      {isForAnother ? (
        <OtherAccount invited={email} signedIn={user.email} token={token} signOut={signOutToJoin} />
      ) : user ? (
        <JoinButton email={user.email} token={token} join={joinWorkspace} />
      ) : requiresIdentity ? (
        <>
          {email !== null && <p className="mt-4">The invitation is for {email}.</p>}
          <RequiredSignIn returnPath={`/invitations/${token}`} problem="" provider={provider} />
        </>
      ) : (
        <>
          <NewAccountForm
            create={createInvited.bind(null, token)}
            submitLabel="Create an account and join"
            returnPath="/workflows"
            forEmail={email ?? undefined}
          />
          <p className="mt-5 text-center text-sm text-muted">
            Already have an account?{' '}
            <Link
              href={`/sign-in?next=${encodeURIComponent(`/invitations/${token}`)}`}
              className="font-medium text-accent underline underline-offset-2"
            >
              Sign in to join
            </Link>
          </p>
          {provider && <ProviderButton {...provider} returnPath={`/invitations/${token}`} />}
        </>
      )}
    </>
  );
}

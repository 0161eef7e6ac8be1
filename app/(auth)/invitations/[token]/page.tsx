import type { Metadata } from 'next';
import Link from 'next/link';
import { JoinButton } from '#components/auth/join-button.tsx';
import { NewAccountForm } from '#components/auth/new-account-form.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { findUser } from '#lib/identity/auth/session.ts';
import { findInvitation } from '#lib/identity/members/accept-invitation.ts';
import { ROLE_DESCRIPTIONS, ROLE_LABELS } from '#lib/identity/members/roles.ts';
import { createInvited, joinWorkspace } from '../../actions.ts';

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
      </>
    );
  }
  const user = await findUser();
  const { workspaceName, role } = invitation;
  return (
    <>
      <h1 className="text-xl font-semibold">Join “{workspaceName}”</h1>
      <p className="mt-1 text-muted">
        You are invited as {ROLE_LABELS[role]}. {ROLE_DESCRIPTIONS[role]}
      </p>
      {user ? (
        <JoinButton email={user.email} token={token} join={joinWorkspace} />
      ) : (
        <>
          <NewAccountForm
            create={createInvited.bind(null, token)}
            submitLabel="Create an account and join"
            returnPath="/workflows"
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
        </>
      )}
    </>
  );
}

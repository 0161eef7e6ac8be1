import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignOutButton } from '#components/auth/sign-out-button.tsx';
import { TwoFactorFirst } from '#components/auth/two-factor-setup.tsx';
import { findMissingTwoFactor, findUser } from '#lib/identity/auth/session.ts';
import { isJustSignedIn } from '#lib/identity/auth/user-sessions.ts';
import { listPasskeys } from '#lib/identity/passkeys/edit-passkeys.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { signOut } from '../../(studio)/actions.ts';
import { confirmTwoFactor, startTwoFactor } from '../../(studio)/settings/account/actions.ts';

export const metadata: Metadata = { title: 'Set up two-factor sign-in' };

export default async function TwoFactorPage() {
  const user = await findUser();
  if (!user) redirect('/sign-in');
  const missing = await findMissingTwoFactor();
  if (!missing) redirect('/settings/account');
  const { db } = await processRuntime();
  const hasPasskey = (await listPasskeys(db, user.id)).length > 0;
  return (
    <>
      <h1 className="text-xl font-semibold">Set up two-factor sign-in</h1>
      <p className="mt-1 mb-5 text-muted">
        “{missing.workspaceName}” requires it of members who sign in with a password.
        {hasPasskey && ' Or sign out, and sign in with your passkey: it counts as a second factor, too.'}
      </p>
      <TwoFactorFirst
        start={startTwoFactor}
        confirm={confirmTwoFactor}
        asksForPassword={!isJustSignedIn(user)}
      />
      <div className="mt-5 flex flex-wrap items-center justify-between gap-2 border-t border-line pt-4 text-sm text-muted">
        <span className="min-w-0 break-words">Signed in as {user.email}</span>
        <SignOutButton signOut={signOut} />
      </div>
    </>
  );
}

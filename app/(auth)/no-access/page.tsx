import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { SignOutButton } from '#components/auth/sign-out-button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { findMember, findUser } from '#lib/identity/auth/session.ts';
import { ROLE_LABELS } from '#lib/identity/members/roles.ts';
import { roleSchema } from '#lib/identity/members/schema.ts';
import { signOut } from '../../(studio)/actions.ts';

export const metadata: Metadata = { title: 'No access' };

export default async function NoAccessPage({ searchParams }: PageProps<'/no-access'>) {
  const user = await findUser();
  if (!user) redirect('/sign-in');
  const member = await findMember();
  const needs = roleSchema.safeParse((await searchParams).needs);
  return (
    <>
      <h1 className="text-xl font-semibold">
        {member ? 'You don’t have access' : 'You are not a member of any workspace'}
      </h1>
      <p className="mt-1 text-muted">
        {member
          ? `In “${member.workspaceName}” you are ${ROLE_LABELS[member.role]}${needs.success ? `; this screen is for ${ROLE_LABELS[needs.data]}s` : ''}. An owner of the workspace can change your role.`
          : `You are signed in as ${user.email}. Ask an owner for an invitation and open its link in this browser.`}
      </p>
      <div className="mt-6 flex flex-wrap gap-2">
        {member && (
          <Link href="/workflows" className={buttonClass({ variant: 'primary' })}>
            Back to workflows
          </Link>
        )}
        <SignOutButton signOut={signOut} />
      </div>
    </>
  );
}

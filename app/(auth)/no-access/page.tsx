import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { NoGroup } from '#components/auth/no-group.tsx';
import { SignOutButton } from '#components/auth/sign-out-button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { env } from '#lib/core/env.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { findMember, findMissingTwoFactor, findUser } from '#lib/identity/auth/session.ts';
import { explainNoAccess } from '#lib/identity/groups/group-access.ts';
import { ROLE_LABELS } from '#lib/identity/roles/roles.ts';
import { roleSchema } from '#lib/identity/roles/schema.ts';
import { signOut } from '../../(studio)/actions.ts';

export const metadata: Metadata = { title: 'No access' };

export default async function NoAccessPage({ searchParams }: PageProps<'/no-access'>) {
  const user = await findUser();
  if (!user) redirect('/sign-in');
  const member = await findMember();
  if (!member && (await findMissingTwoFactor())) redirect('/two-factor');
  const needs = roleSchema.safeParse((await searchParams).needs);
  const noGroup = member ? null : await explainNoAccess((await processRuntime()).db, user.id);
  return (
    <>
      <h1 className="text-xl font-semibold">
        {member
          ? 'You don’t have access'
          : noGroup
            ? 'None of your groups has access to Patchbay'
            : 'You are not a member of any workspace'}
      </h1>
      {noGroup ? (
        <NoGroup {...noGroup} email={user.email} providerName={env().AUTH_OIDC_NAME} />
      ) : (
        <p className="mt-1 text-muted">
          {member
            ? `${needs.success ? `This page is for the role ${ROLE_LABELS[needs.data]}. ` : ''}Your role in “${member.workspaceName}” is ${ROLE_LABELS[member.role]}. An owner of the workspace can change it.`
            : `You are signed in as ${user.email}. Ask an owner for an invitation and open its link in this browser.`}
        </p>
      )}
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

import type { Metadata } from 'next';
import { GroupAccessCard } from '#components/settings/sign-in/group-access-card.tsx';
import { ProviderCard } from '#components/settings/sign-in/provider-card.tsx';
import { SignInPolicyCard } from '#components/settings/sign-in/sign-in-policy-card.tsx';
import { env } from '#lib/core/env.ts';
import { findProviderChoice } from '#lib/identity/auth/oidc/oidc-provider.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { findGroupAccess } from '#lib/identity/groups/group-access.ts';
import { loadGroupPreview } from '#lib/identity/members/load-group-preview.ts';
import { getSignInPolicy, trustsEmailsOf } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { listInstallationOwners } from '#lib/identity/sign-in-policy/owners.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { checkProvider, saveGroupAccess, saveSignInPolicy } from './actions.ts';

export const metadata: Metadata = { title: 'Sign-in' };

export default async function SignInSettingsPage() {
  const ctx = await requireMember('owner');
  const { db, workspaceId, workspaceName, user } = ctx;
  const settings = env();
  const provider = findProviderChoice(settings);
  const [policy, firstWorkspaceId, access, preview] = await Promise.all([
    getSignInPolicy(db),
    findFirstWorkspace(db),
    findGroupAccess(ctx),
    loadGroupPreview(ctx),
  ]);
  const isFirst = firstWorkspaceId === workspaceId;
  return (
    <div className="flex flex-col gap-6">
      <ProviderCard
        provider={
          provider && {
            name: provider.name,
            issuer: provider.issuer,
            scopes: settings.AUTH_OIDC_SCOPES,
            groupsClaim: settings.AUTH_OIDC_GROUPS_CLAIM,
            sessionHours: settings.AUTH_OIDC_SESSION_HOURS,
          }
        }
        check={checkProvider}
      />
      {(provider ?? policy.requiresIdentity) && (
        <SignInPolicyCard
          policy={policy}
          hasProvider={provider !== null}
          trustsEmails={trustsEmailsOf(policy, provider?.issuer)}
          providerName={settings.AUTH_OIDC_NAME}
          owners={isFirst ? await listInstallationOwners(db, provider?.issuer) : null}
          save={saveSignInPolicy}
        />
      )}
      {(provider ?? access) && (
        <GroupAccessCard
          workspaceName={workspaceName}
          access={access}
          groupsClaim={settings.AUTH_OIDC_GROUPS_CLAIM}
          providerName={settings.AUTH_OIDC_NAME}
          ownUserId={user.id}
          {...preview}
          save={saveGroupAccess}
        />
      )}
    </div>
  );
}

import type { Settings } from '#lib/core/env.ts';
import type { Context } from '#lib/identity/context.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/ensure-first-workspace.ts';
import { getSignInPolicy, trustsEmailsOf } from '#lib/identity/sign-in-policy/get-sign-in-policy.ts';
import { listInstallationOwners } from '#lib/identity/sign-in-policy/list-installation-owners.ts';
import type { DescribedPolicy } from '#lib/identity/sign-in-policy/schema.ts';
import { findProviderChoice } from './oidc-provider.ts';

/** The sign-in policy for the REST API, without the provider's secrets. */
export async function describeSignInPolicy(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  settings: Settings,
): Promise<DescribedPolicy> {
  const provider = findProviderChoice(settings);
  const policy = await getSignInPolicy(db);
  const isFirst = (await findFirstWorkspace(db)) === workspaceId;
  return {
    provider: provider && {
      name: provider.name,
      issuer: provider.issuer,
      scopes: settings.AUTH_OIDC_SCOPES,
      groups_claim: settings.AUTH_OIDC_GROUPS_CLAIM,
      session_hours: settings.AUTH_OIDC_SESSION_HOURS,
    },
    requires_identity: policy.requiresIdentity,
    trusts_emails: trustsEmailsOf(policy, provider?.issuer),
    access_contact: policy.accessContact,
    owners: isFirst
      ? (await listInstallationOwners(db, provider?.issuer)).map((owner) => ({
          user_id: owner.userId,
          email: owner.email,
          has_password: owner.hasPassword,
          has_identity: owner.hasIdentity,
          is_break_glass: owner.isBreakGlass,
        }))
      : null,
  };
}

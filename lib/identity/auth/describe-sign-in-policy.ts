import type { Settings } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';
import { listInstallationOwners } from '#lib/identity/sign-in-policy/owners.ts';
import type { DescribedPolicy, ProviderCheck } from '#lib/identity/sign-in-policy/schema.ts';
import { getSignInPolicy, trustsEmailsOf } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { checkOidcProvider, type ProviderFacts } from './oidc/check-oidc-provider.ts';
import { findProviderChoice } from './oidc/oidc-provider.ts';

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

type ProviderSettings = Pick<
  Settings,
  | 'AUTH_OIDC_ISSUER'
  | 'AUTH_OIDC_CLIENT_ID'
  | 'AUTH_OIDC_NAME'
  | 'AUTH_OIDC_SCOPES'
  | 'AUTH_OIDC_GROUPS_CLAIM'
>;

/**
 * Reads the identity provider's discovery document and compares it with the settings. Its address is a setting, never the
 * caller's.
 */
export async function checkIdentityProvider(settings: ProviderSettings): Promise<ProviderCheck> {
  const provider = findProviderChoice(settings);
  if (!provider) return failed('No identity provider is set up.');
  try {
    const facts = await checkOidcProvider({
      issuer: provider.issuer,
      clientId: settings.AUTH_OIDC_CLIENT_ID ?? '',
    });
    return {
      ok: true,
      message: 'The provider answers and matches the settings.',
      notes: listMissing(settings, facts),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why = error.cause instanceof Error ? error.cause.message : '';
    return failed(`${error.message} ${why}`.trim());
  }
}

const failed = (message: string): ProviderCheck => ({ ok: false, message, notes: [] });

/** Providers need not list what they support: unlisted features may still work. */
function listMissing(
  { AUTH_OIDC_SCOPES: scopes, AUTH_OIDC_GROUPS_CLAIM: groupsClaim }: ProviderSettings,
  { scopes_supported: has, claims_supported: claims }: ProviderFacts,
): string[] {
  const missing = scopes.split(/\s+/).filter((scope) => has && !has.includes(scope));
  return [
    ...missing.map((scope) => `It does not list the scope “${scope}”.`),
    ...(claims && !claims.includes(groupsClaim) ? [`It does not list the claim “${groupsClaim}”.`] : []),
  ];
}

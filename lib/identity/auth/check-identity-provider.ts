import type { Settings } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import type { ProviderCheck } from '#lib/identity/sign-in-policy/schema.ts';
import { checkOidcProvider, type ProviderFacts } from './check-oidc-provider.ts';
import { findProviderChoice } from './oidc-provider.ts';

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
    const facts = await checkOidcProvider(provider.issuer);
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

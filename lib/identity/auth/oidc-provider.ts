// The identity provider for next-auth, and how its claims identify a user.
import type { Profile } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { Settings } from '#lib/core/env.ts';
import { readGroups } from '#lib/identity/groups/read-groups.ts';
import { discoveryUrl } from './check-oidc-provider.ts';
import { joinClaims, readEmailVerified } from './email-claims.ts';
import { needsSetupCode } from './setup-code.ts';
import type { Identity } from './sign-in-with-identity.ts';

export const OIDC_PROVIDER_ID = 'oidc';
const TIMEOUT_MS = 10_000;

/** The identity provider for screens; null where none is set up. */
export interface ProviderChoice {
  id: typeof OIDC_PROVIDER_ID;
  name: string;
  issuer: string;
}

export function findProviderChoice(
  settings: Pick<Settings, 'AUTH_OIDC_ISSUER' | 'AUTH_OIDC_CLIENT_ID' | 'AUTH_OIDC_NAME'>,
): ProviderChoice | null {
  const { AUTH_OIDC_ISSUER: issuer, AUTH_OIDC_CLIENT_ID, AUTH_OIDC_NAME: name } = settings;
  return issuer && AUTH_OIDC_CLIENT_ID ? { id: OIDC_PROVIDER_ID, name, issuer } : null;
}

/** Null where none is set up. */
export function oidcProvider(settings: Settings): OAuthConfig<Profile> | null {
  const choice = findProviderChoice(settings);
  if (!choice) return null;
  const { AUTH_OIDC_CLIENT_ID, AUTH_OIDC_CLIENT_SECRET } = settings;
  return {
    id: choice.id,
    name: choice.name,
    type: 'oauth',
    wellKnown: discoveryUrl(choice.issuer),
    clientId: AUTH_OIDC_CLIENT_ID ?? '',
    ...(AUTH_OIDC_CLIENT_SECRET
      ? { clientSecret: AUTH_OIDC_CLIENT_SECRET }
      : { client: { token_endpoint_auth_method: 'none' } }),
    authorization: { params: { scope: settings.AUTH_OIDC_SCOPES } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    httpOptions: { timeout: TIMEOUT_MS },
    userinfo: {
      request: async ({ client, tokens }) => {
        const claims: Record<string, unknown> =
          tokens.id_token === undefined ? {} : decodeClaims(tokens.id_token);
        const isComplete = hasIdentity(settings, claims);
        const mayAsk = client.issuer.metadata.userinfo_endpoint !== undefined;
        if (!mayAsk || (isComplete && readEmailVerified(claims) !== null)) return claims;
        // Some providers return requested claims only there. Given all tokens, openid-client compares the subjects.
        const asked = client.userinfo(tokens as Parameters<typeof client.userinfo>[0]);
        // The endpoint is optional where only `email_verified` is missing; without its response no address is trusted.
        const userinfo = isComplete ? await asked.catch(() => ({ email_verified: false })) : await asked;
        return joinClaims(claims, userinfo);
      },
    },
    profile: ({ sub, email }) => ({ id: sub ?? '', email: email ?? null }),
  };
}

/** Of an ID token that openid-client has verified. */
const decodeClaims = (idToken: string) =>
  JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

const hasIdentity = (settings: Settings, claims: Readonly<Record<string, unknown>>): boolean =>
  typeof claims['email'] === 'string' && readGroups(claims, settings.AUTH_OIDC_GROUPS_CLAIM).groups !== null;

/** The user that the claims identify. */
export function readIdentity(settings: Settings, profile: Profile | undefined): Identity {
  const { groups, isIncomplete } = readGroups({ ...profile }, settings.AUTH_OIDC_GROUPS_CLAIM);
  return {
    issuer: settings.AUTH_OIDC_ISSUER ?? '',
    subject: profile?.sub ?? '',
    email: profile?.email,
    emailVerified: readEmailVerified({ ...profile }),
    groups,
    hasTooManyGroups: isIncomplete,
    mayBecomeOwner: !needsSetupCode(settings),
  };
}

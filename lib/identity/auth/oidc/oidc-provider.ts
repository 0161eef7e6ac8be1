// The identity provider for next-auth, and how its claims identify a user.
import type { Profile } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { Settings } from '#lib/core/env.ts';
import { readGroups } from '#lib/identity/groups/role-of-groups.ts';
import { needsSetupCode } from '../create-account.ts';
import type { Identity } from '../sign-in-with-identity.ts';
import { type SignInProblem, SignInProblemError } from '../sign-in-problem.ts';

export const OIDC_PROVIDER_ID = 'oidc';

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

/** Placeholder addresses for next-auth, which leaves the calls to openid-client (oidc-client.ts). */
export interface OidcClient {
  issuer: string;
  authorizationUrl: string;
  /** @param answer the URL that the provider sent the user back to @throws SignInProblemError */
  redeemCode: (answer: URL, checks: LoginChecks) => Promise<{ accessToken: string; claims: Claims }>;
  /** Null: the provider has no such endpoint. @throws SignInProblemError */
  fetchUserInfo: ((accessToken: string, subject: string) => Promise<Claims>) | null;
}

/** Values for checking the provider's response; next-auth stores them in cookies. */
export interface LoginChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A request that may sign in with the provider. */
export interface ProviderRequest {
  /** Undefined where the request is not about the provider. */
  oidcClient: OidcClient | undefined;
  /** Called with the reason when signing in with the provider has failed. */
  failed: (problem: SignInProblem) => void;
}

/** Null where none is set up. */
export function oidcProvider(settings: Settings, request: ProviderRequest): OAuthConfig<Profile> | null {
  const choice = findProviderChoice(settings);
  if (!choice) return null;
  return {
    id: choice.id,
    name: choice.name,
    type: 'oauth',
    clientId: settings.AUTH_OIDC_CLIENT_ID ?? '',
    checks: ['pkce', 'state', 'nonce'],
    profile: ({ sub, email }) => ({ id: sub ?? '', email: email ?? null }),
    ...(request.oidcClient ? exchangeOf(settings, request, request.oidcClient) : {}),
  };
}

/** The provider's part of a sign-in with next-auth: where to send the user, and the claims for the provider's answer. */
function exchangeOf(
  settings: Settings,
  request: ProviderRequest,
  client: OidcClient,
): Partial<OAuthConfig<Profile>> {
  let claims: Claims = {};
  return {
    issuer: client.issuer,
    authorization: { url: client.authorizationUrl, params: { scope: settings.AUTH_OIDC_SCOPES } },
    token: {
      async request({ provider, params, checks }) {
        claims = await reportFailure(request, async () => {
          const redeemed = await client.redeemCode(answerOf(provider.callbackUrl, params), {
            state: checks.state ?? '',
            nonce: ('nonce' in checks && checks.nonce) || '',
            codeVerifier: checks.code_verifier ?? '',
          });
          return completeClaims(settings, client, redeemed);
        });
        // The provider is not called after the sign-in.
        return { tokens: {} };
      },
    },
    userinfo: { request: () => claims },
  };
}

/** Reports why a step of a sign-in has failed: next-auth only logs it, without its cause. */
export async function reportFailure<T>(
  request: Pick<ProviderRequest, 'failed'> | undefined,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const isKnown = error instanceof SignInProblemError;
    request?.failed(isKnown ? error.problem : 'unknown');
    throw isKnown && error.cause instanceof Error ? error.cause : error;
  }
}

/** The URL of the provider's response, rebuilt from next-auth's parameters. */
function answerOf(callbackUrl: string, params: object): URL {
  const answer = new URL(callbackUrl);
  for (const [name, value] of Object.entries(params))
    if (typeof value === 'string') answer.searchParams.set(name, value);
  return answer;
}

/** Some providers return requested claims only at the userinfo endpoint. */
async function completeClaims(
  settings: Settings,
  { fetchUserInfo }: OidcClient,
  { accessToken, claims }: { accessToken: string; claims: Claims },
): Promise<Claims> {
  const isComplete = hasIdentity(settings, claims);
  if (!fetchUserInfo || (isComplete && readEmailVerified(claims) !== null)) return claims;
  const asked = fetchUserInfo(accessToken, String(claims['sub']));
  // The endpoint is optional where only `email_verified` is missing; without its response no address is trusted.
  return joinClaims(claims, await (isComplete ? asked.catch(() => ({ email_verified: false })) : asked));
}

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

// A provider's claims about an email address. ID token and userinfo endpoint may differ.

type Claims = Readonly<Record<string, unknown>>;

/** Whether the provider has verified the address; null: unknown (OpenID Connect Core 5.1 does not require it to). */
export function readEmailVerified({ email_verified: said }: Claims): boolean | null {
  if (said === undefined || said === null) return null;
  return said === true || said === 'true';
}

/**
 * Merges the claims of both; those of the ID token win. A verification only counts for the address it was stated for, and an
 * explicit "not verified" in either of them wins.
 */
export function joinClaims(idToken: Claims, userinfo: Claims): Record<string, unknown> {
  const { email_verified: _, ...joined } = { ...userinfo, ...idToken };
  const said = [idToken, userinfo].filter(({ email }) => isSameAddress(email, joined['email']));
  const verified = said.map(readEmailVerified).filter((answer) => answer !== null);
  return verified.length === 0 ? joined : { ...joined, email_verified: verified.every(Boolean) };
}

/** Claims without an address refer to the other one's. */
const isSameAddress = (email: unknown, other: unknown): boolean =>
  email === undefined || email === null || lowerCase(email) === lowerCase(other);

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

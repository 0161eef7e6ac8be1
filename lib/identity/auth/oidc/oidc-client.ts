// Redeems the identity provider's authorization response. openid-client checks the responses: state, nonce, PKCE, issuer,
// signature, audience and times.
import * as oauth from 'openid-client';
import type { Settings } from '#lib/core/env.ts';
import { askProvider, loadOidcProvider, type ProviderFacts, TIMEOUT_SECONDS } from './check-oidc-provider.ts';
import { toSignInProblem } from './oidc-failure.ts';
import type { OidcClient } from './oidc-provider.ts';
import { SignInProblemError } from '../sign-in-problem.ts';

const CLOCK_TOLERANCE_SECONDS = 10;

type ClientSettings = Pick<Settings, 'AUTH_OIDC_ISSUER' | 'AUTH_OIDC_CLIENT_ID' | 'AUTH_OIDC_CLIENT_SECRET'>;

/** @throws SignInProblemError `unreachable`, `wrong_issuer` */
export async function openOidcClient(settings: ClientSettings): Promise<OidcClient> {
  const { AUTH_OIDC_ISSUER: issuer = '', AUTH_OIDC_CLIENT_ID: clientId = '' } = settings;
  const facts = await loadOidcProvider({ issuer, clientId });
  const configuration = configure(clientId, settings.AUTH_OIDC_CLIENT_SECRET, facts);
  return {
    issuer: facts.issuer,
    authorizationUrl: facts.authorization_endpoint,
    async redeemCode(answer, { state, nonce, codeVerifier }) {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
      const tokens = await oauth
        .authorizationCodeGrant(configuration, answer, checks)
        .catch((error: unknown) => {
          throw toSignInProblem(error, state);
        });
      const { azp, ...claims } = tokens.claims() ?? {};
      // openid-client only compares it with several audiences.
      if (azp !== undefined && azp !== clientId)
        throw new SignInProblemError('wrong_audience', { cause: new Error('The token is for another azp.') });
      return { accessToken: tokens.access_token, claims };
    },
    fetchUserInfo:
      facts.userinfo_endpoint === undefined
        ? null
        : (accessToken, subject) =>
            oauth.fetchUserInfo(configuration, accessToken, subject).catch((error: unknown) => {
              throw toSignInProblem(error);
            }),
  };
}

/** Created for each sign-in, so that the provider's keys are read again. */
function configure(clientId: string, secret: string | undefined, facts: ProviderFacts): oauth.Configuration {
  const metadata = { [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const configuration = new oauth.Configuration(facts, clientId, metadata, authenticate(secret, facts));
  oauth.allowInsecureRequests(configuration);
  oauth.enableNonRepudiationChecks(configuration);
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[oauth.customFetch] = askProvider;
  return configuration;
}

/** In the header, which is the default (OpenID Connect Core 9), unless the provider only accepts the secret in the body. */
function authenticate(
  secret: string | undefined,
  { token_endpoint_auth_methods_supported: methods }: ProviderFacts,
): oauth.ClientAuth {
  if (!secret) return oauth.None();
  const onlyBody = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return onlyBody ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

// The identity login (OAuth 2.0, RFC 6749 with PKCE, RFC 7636): its authorize URL, and its token endpoint. openid-client builds
// requests and validates responses; requests are sent by `exchange`, which limits time and size.
import * as oauth from 'openid-client';
import * as z from 'zod';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { maskSecrets } from '#lib/messaging/mask.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import { exchange, ExchangeError } from './exchange.ts';
import { toGraphUrl } from './graph.ts';
import { PlatformError, type PlatformErrorFacts, readError } from './platform-error.ts';
import type { PlatformSettings } from './settings.ts';

export interface Tokens {
  accessToken: string;
  /** Null: the login returns none, or the used one stays valid. */
  refreshToken: string | null;
  /** Null: it does not expire. */
  expiresInSeconds: number | null;
  refreshExpiresInSeconds: number | null;
  /** Null: the requested ones (RFC 6749, 5.1). */
  scopes: string[] | null;
}

/**
 * The token endpoint returned no tokens. `isFinal`: the code or the refresh token is invalid; otherwise the endpoint was
 * unreachable, failed, or does not know this app, and a retry may work.
 */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, cause?: unknown) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

const TOKEN_TIMEOUT_MS = 15_000;

/** A started login: the URL for the browser, and the values for checking its response. */
export interface BegunLogin {
  url: string;
  state: string;
  codeVerifier: string;
}

/** @throws PlatformError `not_configured` */
export async function beginLogin(settings: PlatformSettings): Promise<BegunLogin> {
  const configuration = configure(settings);
  if (!settings.authorizeUrl) throw new PlatformError('not_configured');
  const state = oauth.randomState();
  const codeVerifier = oauth.randomPKCECodeVerifier();
  const url = oauth.buildAuthorizationUrl(configuration, {
    redirect_uri: settings.redirectUri,
    ...whatToAsk(settings),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, state, codeVerifier };
}

/** The login accepts either. */
const whatToAsk = ({ loginConfigId, scopes }: PlatformSettings): Record<string, string> =>
  loginConfigId === undefined ? { scope: scopes.join(' ') } : { config_id: loginConfigId };

/** @throws IdentityError, PlatformError `not_configured` */
export function exchangeCode(
  settings: PlatformSettings,
  { code, codeVerifier }: { code: string; codeVerifier: string },
): Promise<Tokens> {
  const answered = new URL(settings.redirectUri);
  answered.searchParams.set('code', code);
  return askForTokens(settings, code, (configuration) =>
    oauth.authorizationCodeGrant(configuration, answered, { pkceCodeVerifier: codeVerifier }),
  );
}

/** @throws IdentityError, PlatformError `not_configured` */
export function refreshTokens(settings: PlatformSettings, refreshToken: string): Promise<Tokens> {
  return askForTokens(settings, refreshToken, (configuration) =>
    oauth.refreshTokenGrant(configuration, refreshToken),
  );
}

/** Whether tokens can be exchanged, which requires the app's secret, but no login. */
export const canExchange = ({ graphUrl, clientId, clientSecret }: PlatformSettings): boolean =>
  graphUrl !== undefined && clientId !== undefined && clientSecret !== undefined;

/**
 * Exchanges an unexpired access token for a new one, where the platform has no refresh tokens.
 * @throws IdentityError, PlatformError `not_configured`
 */
export async function exchangeToken(settings: PlatformSettings, accessToken: string): Promise<Tokens> {
  if (!canExchange(settings)) throw new PlatformError('not_configured');
  // The request contains the secret itself, so that no proof of it is needed.
  const access = { settings: { ...settings, appSecret: undefined }, accessToken };
  const tokenUrl = toGraphUrl(access, ['oauth', 'access_token']).href;
  return askForTokens({ ...settings, tokenUrl }, accessToken, (configuration) =>
    oauth.genericGrantRequest(configuration, 'fb_exchange_token', { fb_exchange_token: accessToken }),
  );
}

/** @param secret the code or token that is redeemed: removed from error messages. */
async function askForTokens(
  settings: PlatformSettings,
  secret: string,
  grant: (configuration: oauth.Configuration) => Promise<oauth.TokenEndpointResponse>,
): Promise<Tokens> {
  const configuration = configure(settings);
  try {
    return toTokens(await grant(configuration));
  } catch (error) {
    throw await toIdentityError(error, secret);
  }
}

function configure(settings: PlatformSettings): oauth.Configuration {
  const { authorizeUrl, tokenUrl, issuer, clientId, clientSecret, timeoutMs } = settings;
  if (!tokenUrl || !clientId) throw new PlatformError('not_configured');
  const server = {
    issuer: issuer ?? new URL(tokenUrl).origin,
    ...(authorizeUrl ? { authorization_endpoint: authorizeUrl } : {}),
    token_endpoint: tokenUrl,
  };
  const configuration = new oauth.Configuration(server, clientId, clientSecret);
  // The operator configures the addresses; the sandbox's use http on this machine.
  oauth.allowInsecureRequests(configuration);
  configuration[oauth.customFetch] = async (url, { headers, body }) => {
    const answer = await exchange({
      method: 'POST',
      url: new URL(url),
      headers,
      body: (body as URLSearchParams).toString(),
      timeoutMs: Math.min(timeoutMs, TOKEN_TIMEOUT_MS),
    });
    // Only status and body count, whatever Content-Type the JSON has.
    const type = { 'content-type': 'application/json' };
    return new Response(withTokenType(answer.body.toString()) || null, {
      status: answer.status,
      headers: type,
    });
  };
  return configuration;
}

/** RFC 6749, 5.1 requires `token_type`; the platform may leave it out, and its tokens are bearer tokens. */
function withTokenType(body: string): string {
  try {
    const answer = parseJson(body);
    if (isJsonObject(answer)) return stringifyJson({ token_type: 'bearer', ...answer });
  } catch {
    // The library reports it like every response that is not JSON.
  }
  return body;
}

/** The library's errors contain whole responses with tokens, so that they must not be logged as causes. */
async function toIdentityError(error: unknown, secret: string): Promise<unknown> {
  const refused = (said: string, isFinal = false): IdentityError => {
    const words = maskSecrets(said.replaceAll(secret, '[redacted]')).replace(/\.$/, '');
    return new IdentityError(`The identity provider refused: ${words}.`, isFinal);
  };
  if (error instanceof oauth.ResponseBodyError) {
    const { error: code, error_description: description } = error;
    const said = [code.slice(0, 100), description?.slice(0, 300)].filter(Boolean).join(': ');
    return refused(said, code === 'invalid_grant');
  }
  if (!(error instanceof oauth.ClientError)) return error;
  const { cause } = error;
  if (cause instanceof ExchangeError)
    return new IdentityError(`The identity provider did not answer: ${cause.message}`, false, cause);
  if (!(cause instanceof Response))
    return refused(`${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
  const body = await cause.text();
  const { code, details, platformMessage } = readGraphError(cause.status, body);
  const said = details ?? platformMessage ?? `status ${cause.status} ${body.slice(0, 300)}`.trim();
  return refused(said, code === INVALID_TOKEN);
}

/** Errors of the real platform's token endpoint have the form of the graph API's. */
function readGraphError(status: number, body: string): PlatformErrorFacts {
  try {
    return readError({ status, retryAfterSeconds: undefined }, parseJson(body), []).facts;
  } catch {
    return {};
  }
}

const INVALID_TOKEN = 190;

const seconds = z.coerce.number().positive().nullable().catch(null);

function toTokens(answer: oauth.TokenEndpointResponse): Tokens {
  const scope = answer.scope?.trim() ?? '';
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    expiresInSeconds: seconds.parse(answer.expires_in),
    refreshExpiresInSeconds: seconds.parse(
      answer['refresh_expires_in'] ?? answer['refresh_token_expires_in'],
    ),
    scopes: scope === '' ? null : scope.split(/[\s,]+/),
  };
}

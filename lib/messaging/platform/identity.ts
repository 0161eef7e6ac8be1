// The identity login (OAuth 2.0, RFC 6749 with PKCE, RFC 7636): where it starts, and its token endpoint.
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { isJsonObject, type JsonObject } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import { exchange, ExchangeError } from './exchange.ts';
import { PlatformError } from './platform-error.ts';
import type { PlatformSettings } from './settings.ts';

export interface Tokens {
  accessToken: string;
  /** Null: the login gives none, or the one that was used stays good. */
  refreshToken: string | null;
  /** Null: it does not end. */
  expiresInSeconds: number | null;
  refreshExpiresInSeconds: number | null;
  /** Null: those that were asked for (RFC 6749, 5.1). */
  scopes: string[] | null;
}

/**
 * The token endpoint did not give tokens. `isFinal`: it said that the code or the refresh token is no good any more;
 * otherwise it could not be reached, had trouble, or does not know this app, and nothing is decided.
 */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, cause?: unknown) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

const REFRESH_TIMEOUT_MS = 15_000;

/** Where the browser is sent. @throws PlatformError `not_configured` */
export function buildAuthorizeUrl(
  settings: PlatformSettings,
  input: { state: string; codeChallenge: string },
): string {
  const { authorizeUrl, clientId, redirectUri, scopes } = settings;
  if (!authorizeUrl || !clientId) throw new PlatformError('not_configured');
  const url = new URL(authorizeUrl);
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes,
    state: input.state,
    code_challenge: input.codeChallenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** @throws IdentityError, PlatformError `not_configured` */
export function exchangeCode(
  settings: PlatformSettings,
  input: { code: string; codeVerifier: string },
): Promise<Tokens> {
  const { code, codeVerifier } = input;
  const { redirectUri } = settings;
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  };
  return askForTokens(settings, fields);
}

/** @throws IdentityError, PlatformError `not_configured` */
export function refreshTokens(settings: PlatformSettings, refreshToken: string): Promise<Tokens> {
  return askForTokens(settings, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

async function askForTokens(settings: PlatformSettings, fields: Record<string, string>): Promise<Tokens> {
  const { tokenUrl, clientId, clientSecret } = settings;
  if (!tokenUrl || !clientId) throw new PlatformError('not_configured');
  const form = new URLSearchParams({
    ...fields,
    client_id: clientId,
    ...(clientSecret ? { client_secret: clientSecret } : {}),
  });
  const { status, answer } = await post(
    new URL(tokenUrl),
    form,
    Math.min(settings.timeoutMs, REFRESH_TIMEOUT_MS),
  );
  if (status === 200 && typeof answer['access_token'] === 'string') return toTokens(answer);
  const code = toText(answer['error']).slice(0, 100);
  const description = toText(answer['error_description']).slice(0, 300);
  const said = [code, description].filter(Boolean).join(': ') || `status ${status}`;
  throw new IdentityError(`The identity provider refused: ${said}.`, code === 'invalid_grant');
}

async function post(
  url: URL,
  form: URLSearchParams,
  timeoutMs: number,
): Promise<{ status: number; answer: JsonObject }> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const { status, body } = await exchange({
      method: 'POST',
      url,
      headers,
      body: form.toString(),
      timeoutMs,
    });
    return { status, answer: readObject(body) };
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    throw new IdentityError(`The identity provider did not answer: ${error.message}`, false, error);
  }
}

function readObject(body: Buffer): JsonObject {
  try {
    const value = parseJsonBytes(body);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function toTokens(answer: JsonObject): Tokens {
  const scope = toText(answer['scope']).trim();
  return {
    accessToken: toText(answer['access_token']),
    refreshToken: toText(answer['refresh_token']) || null,
    expiresInSeconds: secondsOf(answer['expires_in']),
    refreshExpiresInSeconds: secondsOf(answer['refresh_expires_in'] ?? answer['refresh_token_expires_in']),
    scopes: scope === '' ? null : scope.split(/[\s,]+/),
  };
}

function secondsOf(value: JsonObject[string] | undefined): number | null {
  const seconds = Number(toText(value));
  return seconds > 0 && Number.isFinite(seconds) ? seconds : null;
}

import * as z from 'zod';
import type { Settings } from '#lib/core/env.ts';
import { SignInProblemError } from './sign-in-problem.ts';

const TIMEOUT_MS = 10_000;
/** How long a discovered provider is cached, for sign-ins. */
const FRESH_MS = 5 * 60_000;
const MAX_CHARACTERS = 1_000_000;

/** Requirements for a provider (OpenID Connect Discovery 1.0, section 3). */
const discoverySchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  scopes_supported: z.array(z.string()).optional(),
  claims_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});

export type ProviderFacts = z.output<typeof discoverySchema>;

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** URL of a provider's discovery document. */
export const discoveryUrl = (issuer: string): string =>
  `${withoutSlash(issuer)}/.well-known/openid-configuration`;

let fresh: { issuer: string; until: number } | undefined;

/**
 * Checks that the provider is the configured one, before a user is sent there or returns: next-auth does not compare the
 * issuer. The result is cached for five minutes.
 * @throws SignInProblemError `unreachable`, `wrong_issuer`
 */
export async function assertOidcProvider({
  AUTH_OIDC_ISSUER: issuer,
}: Pick<Settings, 'AUTH_OIDC_ISSUER'>): Promise<void> {
  if (issuer === undefined || (fresh?.issuer === issuer && Date.now() < fresh.until)) return;
  await checkOidcProvider(issuer);
  fresh = { issuer, until: Date.now() + FRESH_MS };
}

/**
 * Reads a provider's discovery document.
 * @throws SignInProblemError `unreachable`, `wrong_issuer`; the cause has the details for the administrator
 */
export async function checkOidcProvider(issuer: string): Promise<ProviderFacts> {
  const url = discoveryUrl(issuer);
  const facts = await loadDiscovery(url).catch((cause: unknown) => {
    const why = cause instanceof Error ? describe(cause) : 'unknown error';
    throw new SignInProblemError('unreachable', { cause: new Error(`${url}: ${why}`, { cause }) });
  });
  if (withoutSlash(facts.issuer) !== withoutSlash(issuer)) {
    const said = `${url} says that its issuer is ${facts.issuer.slice(0, 300)}, and AUTH_OIDC_ISSUER is ${issuer}`;
    throw new SignInProblemError('wrong_issuer', { cause: new Error(said) });
  }
  return facts;
}

async function loadDiscovery(url: string): Promise<ProviderFacts> {
  // Set by the administrator, often a private address.
  // oxlint-disable-next-line no-restricted-globals
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`answered ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_CHARACTERS) throw new Error('the answer is too long');
  const parsed = discoverySchema.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  throw new Error(`is no OpenID Connect configuration: ${z.prettifyError(parsed.error).slice(0, 500)}`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('did not answer JSON');
  }
}

/** The details that fetch puts into the error's cause. */
const describe = (error: Error): string =>
  error.cause instanceof Error
    ? `${error.message} (${error.cause.message || error.cause.name})`
    : error.message;

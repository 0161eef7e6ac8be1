import * as oauth from 'openid-client';
import * as z from 'zod';
import { readUpTo } from '#lib/core/http/read-body.ts';
import { describeFailure, findOwnError } from './oidc-failure.ts';
import { SignInProblemError } from '../sign-in-problem.ts';

export const TIMEOUT_SECONDS = 10;
/** How long a discovered provider is cached, for sign-ins. */
const FRESH_MS = 5 * 60_000;
const MAX_BYTES = 1_000_000;

/** Requirements for a provider (OpenID Connect Discovery 1.0, section 3); openid-client requires the issuer. */
const requiredSchema = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});

export type ProviderFacts = oauth.ServerMetadata & z.output<typeof requiredSchema>;

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** The configured provider and this client of it. */
export interface ConfiguredProvider {
  issuer: string;
  clientId: string;
}

let fresh: { facts: ProviderFacts; issuer: string; until: number } | undefined;

/** As `checkOidcProvider`, cached for five minutes. */
export async function loadOidcProvider(provider: ConfiguredProvider): Promise<ProviderFacts> {
  const { issuer } = provider;
  if (fresh?.issuer === issuer && Date.now() < fresh.until) return fresh.facts;
  const facts = await checkOidcProvider(provider);
  fresh = { facts, issuer, until: Date.now() + FRESH_MS };
  return facts;
}

/**
 * Reads a provider's discovery document, and checks that it is the configured one.
 * @throws SignInProblemError `unreachable`, `wrong_issuer`; the cause has the details for the administrator
 */
export async function checkOidcProvider({ issuer, clientId }: ConfiguredProvider): Promise<ProviderFacts> {
  const url = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const facts = await discover(new URL(url), clientId).catch((cause: unknown) => {
    throw findOwnError(cause) ?? unreachable(url, cause);
  });
  // With the full URL of the document, openid-client leaves this check to its caller: a trailing slash makes no difference
  // here.
  if (withoutSlash(facts.issuer) !== withoutSlash(issuer)) {
    const said = `${url} says that its issuer is ${facts.issuer.slice(0, 300)}, and AUTH_OIDC_ISSUER is ${issuer}`;
    throw new SignInProblemError('wrong_issuer', { cause: new Error(said) });
  }
  return facts;
}

async function discover(url: URL, clientId: string): Promise<ProviderFacts> {
  const configuration = await oauth.discovery(url, clientId, undefined, undefined, {
    timeout: TIMEOUT_SECONDS,
    [oauth.customFetch]: askProvider,
    execute: [oauth.allowInsecureRequests],
  });
  const metadata: oauth.ServerMetadata = configuration.serverMetadata();
  const parsed = requiredSchema.safeParse(metadata);
  if (parsed.success) return { ...metadata, ...parsed.data };
  throw new Error(`is no OpenID Connect configuration: ${z.prettifyError(parsed.error).slice(0, 500)}`);
}

/** Sends a request to the provider. @throws SignInProblemError `unreachable` */
export const askProvider: oauth.CustomFetch = async (url, options) => {
  try {
    // Set by the administrator, often a private address.
    // oxlint-disable-next-line no-restricted-globals
    const response = await fetch(url, options as RequestInit);
    const body = await readUpTo(response.body, MAX_BYTES);
    if (body === undefined) throw new Error('the answer is too long');
    const { status, headers } = response;
    return new Response(body.length > 0 ? new Uint8Array(body) : null, { status, headers });
  } catch (error) {
    throw unreachable(url, error);
  }
};

const unreachable = (url: string, error: unknown): SignInProblemError =>
  new SignInProblemError('unreachable', { cause: new Error(`${url}: ${describeFailure(error)}`) });

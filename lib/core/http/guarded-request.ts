// The only client for user-given URLs (docs/decisions/own-code.md). It connects only to public addresses that it has checked,
// decodes nothing, and limits time, size and redirects.
import type { Writable } from 'node:stream';
import { type OutgoingRequest, telemetry } from '#lib/core/telemetry.ts';
import { interleaveFamilies, TimeLimit } from './connections.ts';
import { exchange } from './exchange.ts';
import { GuardedRequestError } from './guarded-request-error.ts';
import { resolveAllowed, resolveByDns, type ResolveHost } from './public-address.ts';
import { readHeaders, withoutBodyHeaders, withoutSecrets } from './request-headers.ts';
import type { Answer } from './send-over.ts';

export interface GuardedRequestOptions {
  method: string;
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string | undefined;
  /** Total time: DNS, connections, redirects, the response to its last byte. */
  timeoutMs: number;
  maxResponseBytes: number;
  /** Creates the sink of a successful response's body; the response's `body` is empty then. */
  sink?: (() => Writable) | undefined;
  /** 0: redirects are returned as the response. */
  maxRedirects: number;
  /** Refuses redirects to another site: the request holds what no other site may see. */
  keepsToSite?: boolean;
  /** Exact `host` or `host:port` names that may lead anywhere: the setting ALLOWED_PRIVATE_HOSTS. */
  allowedPrivateHosts: readonly string[];
  /** Awaited before each request is sent, redirects included; when it rejects, nothing is sent. */
  beforeSending?: () => Promise<void>;
  /** Trace headers of the request, unless `headers` have some. Left out: it has none, even inside a trace. */
  traceHeaders?: Readonly<Record<string, string>> | undefined;
  /** How names are resolved; DNS by default. */
  resolve?: ResolveHost;
}

export interface GuardedResponse extends Answer {
  /** The URL of the final response, after redirects. */
  finalUrl: string;
}

interface Hop {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
}

const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_ADDRESSES = 4;

/**
 * Sends a request to a user-given URL and reads the whole response, whatever its status. Header names of the response are in
 * lower case; repeated headers are joined by `, `.
 * @throws GuardedRequestError
 */
export async function guardedRequest(options: GuardedRequestOptions): Promise<GuardedResponse> {
  const limit = new TimeLimit(options.timeoutMs);
  try {
    return await follow(options, limit);
  } finally {
    limit.end();
  }
}

async function follow(options: GuardedRequestOptions, limit: TimeLimit): Promise<GuardedResponse> {
  const body = typeof options.body === 'string' ? Buffer.from(options.body) : options.body;
  let hop: Hop = {
    method: options.method.toUpperCase(),
    url: readUrl(options.url),
    headers: readHeaders(options.headers ?? {}),
    body,
  };
  /** A request whose response was a redirect has been processed, even if the next request fails. */
  let wasCarriedOut = false;
  for (let redirects = 0; ; redirects += 1) {
    try {
      const answer = await followed(hop, redirects, options, limit);
      const next =
        REDIRECTS.includes(answer.status) && options.maxRedirects > 0 ? nextHop(hop, answer) : undefined;
      if (!next) return { ...answer, finalUrl: hop.url.href };
      if (options.keepsToSite && next.url.origin !== hop.url.origin) throw leadsElsewhere(hop.url, next.url);
      wasCarriedOut ||= next.method !== hop.method;
      if (redirects >= options.maxRedirects) {
        const message = `${hop.url.host} redirects more than ${options.maxRedirects} times.`;
        throw new GuardedRequestError('too_many_redirects', message, { bytesSent: true });
      }
      hop = next;
    } catch (error) {
      if (!(error instanceof GuardedRequestError) || !wasCarriedOut || error.bytesSent) throw error;
      throw new GuardedRequestError(error.kind, error.message, { bytesSent: true, cause: error });
    }
  }
}

async function followed(
  hop: Hop,
  resends: number,
  options: GuardedRequestOptions,
  limit: TimeLimit,
): Promise<Answer> {
  if (!telemetry.request.isHeard) return sendHop(withTrace(hop, options.traceHeaders), options, limit);
  const request: OutgoingRequest = { method: hop.method, url: hop.url, resends };
  telemetry.request.tell(request);
  const traceHeaders = options.traceHeaders && { ...options.traceHeaders, ...request.traceHeaders };
  try {
    const answer = await sendHop(withTrace(hop, traceHeaders), options, limit);
    telemetry.requested.tell({ request, status: answer.status });
    return answer;
  } catch (error) {
    telemetry.requested.tell({
      request,
      error: error instanceof GuardedRequestError ? error.kind : 'internal',
    });
    throw error;
  }
}

/** A caller that sets its own trace headers sets all of them. */
const withTrace = (hop: Hop, traceHeaders: GuardedRequestOptions['traceHeaders'] = {}): Hop =>
  'traceparent' in hop.headers ? hop : { ...hop, headers: { ...traceHeaders, ...hop.headers } };

async function sendHop(hop: Hop, options: GuardedRequestOptions, limit: TimeLimit): Promise<Answer> {
  const { allowedPrivateHosts, maxResponseBytes, sink, resolve = resolveByDns } = options;
  const resolving = resolveAllowed(hop.url, allowedPrivateHosts, resolve);
  const resolved = await unlessOver(resolving, hop.url, limit);
  await options.beforeSending?.();
  const addresses = interleaveFamilies(resolved.map(({ address }) => address)).slice(0, MAX_ADDRESSES);
  return exchange({ ...hop, addresses, maxResponseBytes, sink, limit });
}

const leadsElsewhere = (from: URL, to: URL): GuardedRequestError =>
  new GuardedRequestError(
    'refused_address',
    `${from.host} redirects to ${to.host}, which must not get the secrets of this request. Enter the URL that it redirects to.`,
    { bytesSent: true },
  );

function unlessOver<Value>(work: Promise<Value>, url: URL, limit: TimeLimit): Promise<Value> {
  return new Promise((resolve, reject) => {
    limit.whenOver(() =>
      reject(new GuardedRequestError('timeout', `The host "${url.hostname}" was not found in time.`)),
    );
    work.then(resolve, reject);
  });
}

/** @throws GuardedRequestError `invalid_url` */
function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text.trim(), base);
  const fail = (fix: string): GuardedRequestError =>
    new GuardedRequestError(
      'invalid_url',
      `"${text.split('?', 1)[0]?.slice(0, 200)}" cannot be called: ${fix}.`,
    );
  if (!url) throw fail('enter a full URL such as https://example.com/path');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw fail('only http and https addresses can be');
  if (url.username !== '' || url.password !== '')
    throw fail('put the user name and password into an Authorization header');
  return url;
}

/** The target of a redirect (RFC 9110, 15.4); undefined when there is none. */
function nextHop(hop: Hop, { status, headers }: Answer): Hop | undefined {
  const { location } = headers;
  if (location === undefined) return undefined;
  const url = readUrl(location, hop.url);
  const seen = url.origin === hop.url.origin ? hop.headers : withoutSecrets(hop.headers);
  const becomesGet =
    hop.method !== 'GET' &&
    hop.method !== 'HEAD' &&
    (status === 303 || (status <= 302 && hop.method === 'POST'));
  if (!becomesGet) return { ...hop, url, headers: seen };
  return { method: 'GET', url, headers: withoutBodyHeaders(seen), body: undefined };
}

// One call to the graph API: builds the request, parses the response, and classifies errors.
import { createHmac } from 'node:crypto';
import type * as z from 'zod';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { secondsSince, telemetry } from '#lib/core/telemetry.ts';
import { objectOf, words } from '#lib/messaging/platform-fields.ts';
import { exchange, ExchangeError, type HttpAnswer, type HttpCall } from './exchange.ts';
import type { StreamedBody } from './multipart.ts';
import { PlatformError, readError } from './platform-error.ts';
import type { PlatformSettings } from './settings.ts';

// The only code that builds URLs of the graph API.

/**
 * The URL of a call: `{graph_url}/{version}/{path}` (spec, Versioning 1), with a proof that the holder of the token also has
 * the app secret: apps can require it.
 * @param path segments after the version
 * @throws PlatformError `not_configured`; `unknown_object` for an empty or dot segment, which would change the path
 */
export function toGraphUrl(
  { settings, accessToken }: { settings: PlatformSettings; accessToken: string },
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): URL {
  const { graphUrl, graphVersion, appSecret } = settings;
  if (graphUrl === undefined) throw new PlatformError('not_configured');
  if (path.some((segment) => /^\.*$/.test(segment))) throw new PlatformError('unknown_object');
  const url = new URL([graphUrl, graphVersion, ...path.map(encodeURIComponent)].join('/'));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (appSecret !== undefined) url.searchParams.set('appsecret_proof', prove(accessToken, appSecret));
  return url;
}

const prove = (accessToken: string, appSecret: string): string =>
  createHmac('sha256', appSecret).update(accessToken).digest('hex');

/** For 100 MB over a line of 3 Mbit/s. */
const UPLOAD_TIMEOUT_MS = 5 * 60_000;

/** Access to the platform with one token. */
export interface GraphAccess {
  settings: PlatformSettings;
  accessToken: string;
  /** For calls that must not be repeated, see `HttpCall`. */
  beforeSending?: (() => Promise<void>) | undefined;
}

interface GraphCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Segments after the version. */
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: JsonObject;
  upload?: StreamedBody;
  /** Replaces or extends the headers of every call. */
  headers?: Readonly<Record<string, string>>;
  /** Removed from error messages of the platform, like the access token. */
  secrets?: readonly string[];
}

/**
 * Calls the graph API and returns its JSON object.
 * @throws PlatformError
 */
export async function callGraph(access: GraphAccess, call: GraphCall): Promise<JsonObject> {
  const { settings, accessToken, beforeSending } = access;
  const url = toGraphUrl(access, call.path, call.query);
  const headers: Record<string, string> = { authorization: `Bearer ${accessToken}` };
  if (call.body) headers['content-type'] = 'application/json';
  if (call.upload) headers['content-type'] = call.upload.contentType;
  const http: HttpCall = {
    method: call.method,
    url,
    headers: { ...headers, ...call.headers },
    body: call.body ? stringifyJson(call.body) : call.upload,
    beforeSending,
    route: settings.graphRoute,
    timeoutMs: call.upload ? Math.max(settings.timeoutMs, UPLOAD_TIMEOUT_MS) : settings.timeoutMs,
  };
  const secrets = [access.accessToken, ...(call.secrets ?? [])];
  return telling({ operation: operationOf(call), url }, () => ask(http, access, secrets));
}

/** The name of a call, without the ids in its path: `POST messages`. */
const operationOf = ({ method, path }: GraphCall): string => {
  const last = path.at(-1) ?? '';
  return `${method} ${/^[a-z_]+$/.test(last) ? last : 'object'}`;
};

async function telling<Result>(
  about: { operation: string; url: URL },
  call: () => Promise<Result>,
): Promise<Result> {
  const start = performance.now();
  const tell = (outcome: string, code?: number): void =>
    telemetry.platformCall.tell({ ...about, outcome, code, seconds: secondsSince(start) });
  try {
    const result = await call();
    tell('ok');
    return result;
  } catch (error) {
    if (error instanceof PlatformError) tell(error.kind, error.facts.code);
    else tell('internal');
    throw error;
  }
}

async function ask(
  call: HttpCall,
  { settings }: GraphAccess,
  secrets: readonly string[],
): Promise<JsonObject> {
  const answer = await send(call);
  settings.graphUsage.note(answer.headers);
  const body = readJson(answer);
  if (answer.status < 200 || answer.status >= 300) throw readError(answer, body, secrets);
  if (isJsonObject(body) && !isJsonObject(body['error'])) return body;
  if (isJsonObject(body)) throw readError({ ...answer, status: 400 }, body, secrets);
  throw lostAnswer(answer.status, 'Its response is not JSON.');
}

/** The platform accepted the request, but its response is unusable. */
export const lostAnswer = (httpStatus: number, platformMessage: string): PlatformError =>
  new PlatformError('lost_answer', { httpStatus, platformMessage });

async function send(call: HttpCall): Promise<HttpAnswer> {
  try {
    return await exchange(call);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    throw new PlatformError(
      error.notSent ? 'not_sent' : 'lost_answer',
      { platformMessage: error.message },
      error,
    );
  }
}

function readJson({ body }: HttpAnswer): JsonValue | undefined {
  try {
    return parseJsonBytes(body);
  } catch {
    return undefined;
  }
}

/** Limits lists that would never end. */
const MAX_PAGES = 200;

const pageSchema = objectOf({ paging: objectOf({ next: words, cursors: objectOf({ after: words }) }) });

/**
 * The items of a list over all its pages, one after the other; a page is fetched on demand. The last page is the one without
 * `paging.next`, although it has a cursor.
 * @throws PlatformError
 */
export async function* readPages<Item>(
  access: GraphAccess,
  call: Omit<GraphCall, 'method'>,
  item: z.ZodType<Item>,
): AsyncGenerator<Item> {
  let query = call.query ?? {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await callGraph(access, { ...call, method: 'GET', query });
    if (!Array.isArray(answer['data'])) throw lostAnswer(200, 'Its response has no list.');
    for (const each of answer['data']) if (isJsonObject(each)) yield item.parse(each);
    const { next, cursors } = pageSchema.parse(answer).paging;
    const after = next && (cursors.after ?? URL.parse(next)?.searchParams.get('after'));
    if (!after) return;
    query = { ...query, after };
  }
}

/** All items of a list. @throws PlatformError */
export const readAll = <Item>(
  access: GraphAccess,
  call: Omit<GraphCall, 'method'>,
  item: z.ZodType<Item>,
): Promise<Item[]> => Array.fromAsync(readPages(access, call, item));

/** Whether the settings contain the app's id and secret. */
export const knowsApp = ({ graphUrl, clientId, appSecret }: PlatformSettings): boolean =>
  graphUrl !== undefined && clientId !== undefined && appSecret !== undefined;

/**
 * Calls the platform with the app's own token (`id|secret`).
 * @throws PlatformError `not_configured`; `refused` where that token is not accepted, which is independent of connections
 */
export async function asApp<Result>(
  settings: PlatformSettings,
  call: (access: GraphAccess, appId: string) => Promise<Result>,
): Promise<Result> {
  const { clientId, appSecret } = settings;
  if (clientId === undefined || appSecret === undefined) throw new PlatformError('not_configured');
  try {
    return await call({ settings, accessToken: `${clientId}|${appSecret}` }, clientId);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'token') throw error;
    const details = 'It does not know the app of MESSAGING_CLIENT_ID by its secret.';
    throw new PlatformError('refused', { ...error.facts, details }, error);
  }
}

// One call to the graph API: builds the request, reads the answer, and says what an error means.
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { secondsSince, telemetry } from '#lib/core/telemetry.ts';
import { exchange, ExchangeError, type HttpAnswer, type HttpCall } from './exchange.ts';
import { toGraphUrl } from './graph-url.ts';
import type { StreamedBody } from './multipart.ts';
import { PlatformError } from './platform-error.ts';
import { readError } from './read-error.ts';
import type { PlatformSettings } from './settings.ts';

/** For 100 MB over a line of 3 Mbit/s. */
const UPLOAD_TIMEOUT_MS = 5 * 60_000;

/** The platform as one token sees it. */
export interface GraphAccess {
  settings: PlatformSettings;
  accessToken: string;
  /** Of calls that must not be repeated, see `HttpCall`. */
  beforeSending?: (() => Promise<void>) | undefined;
}

export interface GraphCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Segments after the version. */
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: JsonObject;
  upload?: StreamedBody;
  /** In place of what every call has, or besides. */
  headers?: Readonly<Record<string, string>>;
  /** Cut out of what the platform says when it refuses, as the access token is. */
  secrets?: readonly string[];
}

/**
 * Calls the graph API and gives the JSON object that it answers.
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

/** What a call does, without the ids in its path: `POST messages`. */
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

/** The platform took the request, but what it answered cannot be used. */
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

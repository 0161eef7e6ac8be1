import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, logCall, type LoggedCall, takeFault, toGraphError } from '../calls/calls.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';
import { BadRequest, sendJson } from '../http/exchange.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';
import { assertProof, authenticate, findCaller } from './access.ts';
import { dispatch } from './dispatch.ts';
import type { GraphCall } from './graph-call.ts';
import { describeForm, readInput } from './read-input.ts';

/** Without a version only paths that are not pages of the sandbox: an object by its id, or a name of the graph API. */
const PATH = /^\/(?:(v\d+\.\d+)\/|(?=\d{10,}(?:\/|$)|me(?:\/|$)|debug_token$))(.+?)\/?$/;

/** Whether a path belongs to the graph API: with any version, because clients have different defaults, or none. */
export function isGraphPath(path: string): boolean {
  return PATH.test(path);
}

/** Answers one call to the graph API, with a fault of the control API if there is one, and logs it. */
export async function handleGraph(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const [, version = '', rawPath = ''] = PATH.exec(url.pathname) ?? [];
  const path = decodePath(rawPath);
  const log = startLog(world, request, { version, path, query: url.searchParams });
  let fault: Fault | null = null;
  const headers: Record<string, string> = {};
  try {
    const answering = answeringVersion(world, version);
    Object.assign(headers, answering.headers);
    const { body, form, raw } = await readInput(request);
    log.body = form ? describeForm(form) : body;
    fault = takeFault(world, { target: 'graph', method: log.method, path, body });
    log.fault = fault?.kind ?? null;
    if (fault?.kind === 'delay' && fault.when === 'before')
      await wait(fault.delay_ms, undefined, { ref: false });
    if (fault?.kind === 'drop_before') return void request.socket.destroy();
    const bearer = authenticate(world, request, url.searchParams);
    log.account = bearer.accountId;
    if (fault?.kind === 'error') throw toGraphError(fault);
    const user = findCaller(bearer);
    assertProof(world, bearer, url.searchParams, body);
    const call: GraphCall = {
      world,
      method: log.method,
      version: answering.version,
      path,
      query: url.searchParams,
      body,
      form,
      raw,
      fileOffset: Number(request.headers['file_offset'] ?? 'NaN'),
      headers,
      bearer,
      user,
    };
    const answer = await dispatch(call);
    if (fault?.kind === 'delay' && fault.when === 'after')
      await wait(fault.delay_ms, undefined, { ref: false });
    if (fault?.kind === 'drop') return void request.socket.destroy();
    log.status = 200;
    if (fault?.kind === 'malformed') return sendMalformed(response);
    sendJson(response, 200, answer, headers);
  } catch (error) {
    const graphError = toAnswerableError(error);
    log.status = graphError.status;
    log.error_code = graphError.code;
    sendJson(response, graphError.status, graphError.toBody(), { ...headers, ...graphError.toHeaders() });
  } finally {
    logCall(world.calls, log);
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function startLog(
  world: World,
  request: IncomingMessage,
  { version, path, query }: { version: string; path: string; query: URLSearchParams },
): LoggedCall {
  return {
    at: new Date(world.clock.nowMs()).toISOString(),
    real_at_ms: Date.now(),
    target: 'graph',
    method: request.method ?? 'GET',
    version,
    path,
    query: Object.fromEntries([...query].filter(([name]) => name !== 'access_token')),
    body: null,
    account: null,
    status: null,
    error_code: null,
    fault: null,
  };
}

function toAnswerableError(error: unknown): GraphError {
  if (error instanceof GraphError) return error;
  if (error instanceof BadRequest) return invalidParameter(error.message);
  console.error(error);
  return new GraphError(1, 'Internal error in the sandbox; see its output.');
}

function sendMalformed(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<html><body>Forced by the control API: this is not JSON.</body></html>');
}

/** Versions available in November 2026, and their expiry; that of the newest is unknown. */
const VERSIONS: readonly { number: number; endsAt: number }[] = [
  { number: 21, endsAt: Date.UTC(2027, 0, 21) },
  { number: 22, endsAt: Date.UTC(2027, 4, 20) },
  { number: 23, endsAt: Date.UTC(2027, 9, 8) },
  { number: 24, endsAt: Date.UTC(2028, 1, 18) },
  { number: 25, endsAt: Date.UTC(2028, 6, 29) },
  { number: 26, endsAt: Infinity },
];
const NEWEST = Math.max(...VERSIONS.map(({ number }) => number));
/** Version of calls without one, where versions do not expire. */
const DEFAULT_VERSION = 'v18.0';

/**
 * The version for a call, and its headers. Strict: for an expired one the oldest supported one, with a warning; a future one is
 * refused (2500). @param asked empty: the oldest supported one
 */
function answeringVersion(world: World, asked: string): { version: string; headers: Record<string, string> } {
  const version = isStrict(world)
    ? `v${livingNumber(world, Number(asked.slice(1)))}.0`
    : asked || DEFAULT_VERSION;
  const headers: Record<string, string> = { 'facebook-api-version': version };
  if (asked !== '' && version !== asked)
    headers['x-ad-api-version-warning'] =
      `The call has been auto-upgraded to ${version} as ${asked} has been deprecated.`;
  return { version, headers };
}

function livingNumber({ clock }: World, asked: number): number {
  if (asked > NEWEST)
    throw new GraphError(2500, '', { message: `(#2500) Unknown path components: /v${asked}.0` });
  const now = clock.nowMs();
  const oldest = VERSIONS.find(({ endsAt }) => endsAt > now)?.number ?? NEWEST;
  return Math.max(Math.floor(asked), oldest);
}

// HTTP to the platform's addresses, which the operator configures. Connections are kept alive; when a response is missing, it
// has to be known whether the request may have been processed.
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { collectAnswer } from '#lib/core/http/collect-answer.ts';
import { VERSION } from '#lib/core/version.ts';
import type { StreamedBody } from './multipart.ts';
import type { Route } from './route.ts';

/** Sent with every request to the platform, which refuses downloads without one. */
export const USER_AGENT = `Patchbay/${VERSION}`;

export interface HttpCall {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: string | StreamedBody | undefined;
  /** Timeout for the connection, and again from the request to the last byte of the response. */
  timeoutMs: number;
  /**
   * For requests that must not be repeated once they may have arrived: awaited over an open connection right before the first
   * byte; when it rejects, nothing is sent.
   */
  beforeSending?: (() => Promise<void>) | undefined;
  /** While the platform may be unreachable, a request that must not be repeated is not sent. */
  route?: Route | undefined;
}

export interface HttpAnswer {
  status: number;
  /** Seconds; undefined: not sent by the platform. */
  retryAfterSeconds: number | undefined;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** No complete response. `notSent`: the platform certainly did not receive the request. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly notSent: boolean;

  constructor(message: string, notSent: boolean, cause?: unknown) {
    super(message, { cause });
    this.notSent = notSent;
  }
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Well below the five seconds after which servers commonly close: so that no request is sent on a closing connection. */
const IDLE_MS = 2000;
const TRIAL_TIMEOUT_MS = 5000;
/**
 * As many as runs of a worker usually send at the same time: each uses a connection from before the message is recorded until its
 * response, and a new one costs both sides more than the request.
 */
const MAX_IDLE = 1024;
const options = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS };
const AGENTS = { 'http:': new Agent(options), 'https:': new HttpsAgent(options) };

/** Sends a request and reads the response, whatever its status. @throws ExchangeError */
export async function exchange(call: HttpCall): Promise<HttpAnswer> {
  const { route } = call;
  if (call.beforeSending && route?.isDoubtful) await untilAnswered(route, call);
  return send(call, AGENTS);
}

/** Sends a request without effects, once for all concurrent senders. @throws ExchangeError */
async function untilAnswered(route: Route, { url, timeoutMs }: HttpCall): Promise<void> {
  const trial: HttpCall = {
    method: 'GET',
    url: new URL(url.origin),
    headers: {},
    timeoutMs: Math.min(timeoutMs, TRIAL_TIMEOUT_MS),
    route,
  };
  try {
    await route.tryOnce(() => send(trial));
  } catch (cause) {
    throw doesNotAnswer(url, cause);
  }
}

const doesNotAnswer = ({ host }: URL, cause?: unknown): ExchangeError =>
  new ExchangeError(`${host} does not answer: nothing was sent.`, true, cause);

/** @param agents left out: over a separate connection */
function send(call: HttpCall, agents?: typeof AGENTS): Promise<HttpAnswer> {
  const { route } = call;
  return new Promise((resolve, reject) => {
    const request = open(call, agents);
    let sent: ReturnType<Route['sent']> | undefined;
    let isSent = false;
    let isPreparing = false;
    let failure: ExchangeError | undefined;
    const fail = (message: string, cause?: unknown): void => {
      clearTimeout(timer);
      sent?.lost();
      request.destroy();
      failure ??= new ExchangeError(`${call.url.host} ${message}`, !isSent, cause);
      if (!isPreparing) reject(failure);
    };
    let timer = setTimeout(() => fail('did not accept the connection in time.'), call.timeoutMs);
    const begin = async (): Promise<void> => {
      clearTimeout(timer);
      isPreparing = true;
      await call.beforeSending?.();
      isPreparing = false;
      if (failure) throw failure;
      // Other requests may have lost their responses in the meantime.
      if (call.beforeSending && route?.isDoubtful) throw doesNotAnswer(call.url);
      isSent = true;
      timer = setTimeout(() => fail('did not answer in time.'), call.timeoutMs);
      if (typeof call.body === 'object') {
        // Connection errors are reported by the request itself.
        pipeline(Readable.from(call.body.chunks()), request, () => undefined);
      } else {
        sent = route?.sent();
        request.end(call.body);
      }
    };
    const beginOrGiveUp = (): void =>
      void begin().catch((error: Error) => {
        reject(error);
        request.destroy();
      });
    // The agent's idle timeout only applies to idle connections: a slow response has the timeout of the call.
    request.on('timeout', () => undefined);
    request.on('socket', (socket) => {
      socket.setTimeout(0);
      if (request.reusedSocket) beginOrGiveUp();
      else socket.once(call.url.protocol === 'https:' ? 'secureConnect' : 'connect', beginOrGiveUp);
    });
    request.on('error', (cause) => {
      const message = isSent
        ? 'broke the connection before its answer was complete.'
        : `could not be reached (${codeOf(cause)}).`;
      fail(message, cause);
    });
    request.on('response', (response) => {
      sent?.answered();
      collectAnswer(response, MAX_ANSWER_BYTES, {
        tooLarge: () => fail(`answered with more than ${MAX_ANSWER_BYTES} bytes.`),
        broken: (cause) => fail('broke the connection before its answer was complete.', cause),
        whole: (body) => {
          clearTimeout(timer);
          const { statusCode: status = 0, headers } = response;
          resolve({ status, retryAfterSeconds: retryAfter(response), headers, body });
        },
      });
    });
  });
}

function open({ method, url, headers, body }: HttpCall, agents?: typeof AGENTS): ClientRequest {
  const length =
    body === undefined
      ? method === 'GET'
        ? {}
        : { 'content-length': '0' }
      : { 'content-length': typeof body === 'string' ? Buffer.byteLength(body) : body.bytes };
  const isHttps = url.protocol === 'https:';
  // Not given as a URL, which Node would take apart and put together again: a third of what opening a request costs.
  const options = {
    method,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : Number(url.port),
    path: url.pathname + url.search,
    headers: {
      ...headers,
      ...length,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
    },
    agent: agents?.[isHttps ? 'https:' : 'http:'] ?? false,
  };
  return isHttps ? requestHttps(options) : requestHttp(options);
}

function retryAfter(response: IncomingMessage): number | undefined {
  const text = response.headers['retry-after']?.trim() ?? '';
  return /^\d{1,8}(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : 'connection failed';

// HTTP to the platform's own addresses, which the operator sets. Connections are kept; what matters is to know, when
// no answer comes, whether the request may have been carried out.
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { collectAnswer } from '#lib/core/http/collect-answer.ts';
import type { StreamedBody } from './multipart.ts';

export interface HttpCall {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: string | StreamedBody | undefined;
  /** For everything together, to the last byte of the answer. */
  timeoutMs: number;
}

export interface HttpAnswer {
  status: number;
  /** Seconds; undefined when the platform did not say. */
  retryAfterSeconds: number | undefined;
  body: Buffer;
}

/** No complete answer. `notSent`: the platform certainly did not get the request. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly notSent: boolean;

  constructor(message: string, notSent: boolean, cause?: unknown) {
    super(message, { cause });
    this.notSent = notSent;
  }
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Well below the five seconds after which servers commonly close: a request never meets a closing connection. */
const IDLE_MS = 2000;
const options = { keepAlive: true, maxFreeSockets: 64, timeout: IDLE_MS };
const AGENTS = { 'http:': new Agent(options), 'https:': new HttpsAgent(options) };

/** Sends a request and reads the answer, whatever its status. @throws ExchangeError */
export function exchange(call: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = open(call);
    let connected = false;
    const fail = (message: string, cause?: unknown): void => {
      clearTimeout(timer);
      request.destroy();
      reject(new ExchangeError(`${call.url.host} ${message}`, !connected, cause));
    };
    const timer = setTimeout(
      () => fail(connected ? 'did not answer in time.' : 'did not accept the connection in time.'),
      call.timeoutMs,
    );
    // The idle limit of the agent is for kept connections only: a slow answer has the time of the call.
    request.on('timeout', () => undefined);
    request.on('socket', (socket) => {
      socket.setTimeout(0);
      if (request.reusedSocket) connected = true;
      else
        socket.once(call.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (connected = true));
    });
    request.on('error', (cause) => {
      const message = connected
        ? 'broke the connection before its answer was complete.'
        : `could not be reached (${codeOf(cause)}).`;
      fail(message, cause);
    });
    request.on('response', (response) => {
      collectAnswer(response, MAX_ANSWER_BYTES, {
        tooLarge: () => fail(`answered with more than ${MAX_ANSWER_BYTES} bytes.`),
        broken: (cause) => fail('broke the connection before its answer was complete.', cause),
        whole: (body) => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, retryAfterSeconds: retryAfter(response), body });
        },
      });
    });
    if (typeof call.body !== 'object') request.end(call.body);
    // What goes wrong on the way is the request's own error.
    else pipeline(Readable.from(call.body.chunks()), request, () => undefined);
  });
}

function open({ method, url, headers, body }: HttpCall): ClientRequest {
  const length =
    body === undefined
      ? method === 'GET'
        ? {}
        : { 'content-length': '0' }
      : { 'content-length': typeof body === 'string' ? Buffer.byteLength(body) : body.bytes };
  const all = { ...headers, ...length, accept: 'application/json', 'accept-encoding': 'identity' };
  if (url.protocol === 'https:') return requestHttps(url, { method, headers: all, agent: AGENTS['https:'] });
  return requestHttp(url, { method, headers: all, agent: AGENTS['http:'] });
}

function retryAfter(response: IncomingMessage): number | undefined {
  const text = response.headers['retry-after']?.trim() ?? '';
  return /^\d{1,8}(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : 'connection failed';

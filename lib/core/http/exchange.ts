// One request to a host whose addresses were checked before: sends it and reads the response within its limits.
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Writable } from 'node:stream';
import { collectAnswer, pourAnswer } from './collect-answer.ts';
import { BRIEF_AGENTS, FRESH_AGENTS, KEPT_AGENTS } from './agents.ts';
import { GuardedRequestError, type GuardedRequestErrorKind } from './guarded-request-error.ts';

export interface Exchange {
  method: string;
  url: URL;
  /** The checked IP addresses: only these are connected to, whatever the name resolves to later. */
  addresses: readonly string[];
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  maxResponseBytes: number;
  /** Creates the sink of a successful response's body, which is otherwise kept in memory. */
  sink?: (() => Writable) | undefined;
  /** Aborted at the timeout. */
  timeIsOver: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * A kept-alive connection may be closed by the server just as it is reused. Idempotent requests use any one and are repeated then;
 * the others only one that was used a moment ago, long before servers close it for being idle.
 */
const MAY_BE_REPEATED = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

type Agents = typeof KEPT_AGENTS;

/** @throws GuardedRequestError */
export async function exchange(options: Exchange): Promise<Answer> {
  if (!MAY_BE_REPEATED.includes(options.method)) return new OneExchange(options, BRIEF_AGENTS).answer;
  const attempt = new OneExchange(options, KEPT_AGENTS);
  try {
    return await attempt.answer;
  } catch (error) {
    if (!attempt.failedOnKeptSocket || options.timeIsOver.aborted) throw error;
    return new OneExchange(options, FRESH_AGENTS).answer;
  }
}

class OneExchange {
  readonly answer: Promise<Answer>;
  readonly #options: Exchange;
  readonly #request: ClientRequest;
  #connected = false;
  /** Of the response, once there is one. */
  #status: number | undefined;
  #failed = false;

  constructor(options: Exchange, agents: Agents) {
    this.#options = options;
    this.#request = openRequest(options, agents);
    this.answer = new Promise((resolve, reject) => this.#run(resolve, reject));
  }

  /** The kept-alive connection was closed before any response, which does not mean that the server is down. */
  get failedOnKeptSocket(): boolean {
    return this.#failed && this.#request.reusedSocket && this.#status === undefined;
  }

  #run(resolve: (answer: Answer) => void, reject: (error: GuardedRequestError) => void): void {
    const { timeIsOver, url } = this.#options;
    const request = this.#request;
    const stop = (): void => {
      request.destroy();
      fail(this.#error('timeout', `${url.host} did not answer in time.`));
    };
    const settle = (): void => timeIsOver.removeEventListener('abort', stop);
    const fail = (error: GuardedRequestError): void => {
      settle();
      this.#failed = true;
      request.destroy();
      reject(error);
    };
    timeIsOver.addEventListener('abort', stop, { once: true });
    this.#watchConnection();
    request.on('error', (cause) => fail(this.#failure(cause)));
    request.on('response', (response) => {
      this.#status = response.statusCode;
      this.#read(response, (answer) => (settle(), resolve(answer)), fail);
    });
    request.end(this.#options.body);
  }

  /** Bytes of the request are sent as soon as the connection is established (with TLS: after the handshake). */
  #watchConnection(): void {
    this.#request.on('socket', (socket) => {
      const shakesHands = this.#options.url.protocol === 'https:' && !this.#request.reusedSocket;
      if (shakesHands) socket.once('secureConnect', () => (this.#connected = true));
      else this.#connected = true;
    });
  }

  #read(
    response: IncomingMessage,
    resolve: (answer: Answer) => void,
    fail: (error: GuardedRequestError) => void,
  ): void {
    const { maxResponseBytes, url, method } = this.#options;
    const tooLarge = (): void =>
      fail(this.#error('too_large', `The answer of ${url.host} is larger than ${maxResponseBytes} bytes.`));
    const headers = joinHeaders(response);
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
    const hasBody = method !== 'HEAD';
    if (hasBody && Number(headers['content-length'] ?? 0) > maxResponseBytes) return tooLarge();
    const whole = (body: Buffer): void => {
      if (body.length > 0 && encoding !== '' && encoding !== 'identity') {
        const message = `The answer of ${url.host} is compressed (${encoding}) although that was not asked for.`;
        return fail(this.#error('compressed_response', message));
      }
      resolve({ status: response.statusCode ?? 0, headers, body });
    };
    const broken = (cause?: unknown): void => fail(this.#failure(cause));
    const { sink } = this.#options;
    const status = response.statusCode ?? 0;
    if (sink === undefined || status < 200 || status > 299)
      return collectAnswer(response, maxResponseBytes, { whole, tooLarge, broken });
    if (encoding !== '' && encoding !== 'identity') return whole(Buffer.alloc(1));
    pourAnswer(response, sink(), maxResponseBytes, { whole, tooLarge, broken });
  }

  #failure(cause: unknown): GuardedRequestError {
    const { url } = this.#options;
    const code = codeOf(cause);
    if (!this.#connected) {
      return this.#error('not_sent', `${url.host} could not be reached: ${reasonOf(cause)}.`, cause);
    }
    if (code.startsWith('HPE_')) {
      return this.#error('invalid_response', `The answer of ${url.host} is not valid HTTP (${code}).`, cause);
    }
    return this.#error(
      'interrupted',
      `The connection to ${url.host} broke before the answer was complete.`,
      cause,
    );
  }

  #error(kind: GuardedRequestErrorKind, message: string, cause?: unknown): GuardedRequestError {
    const [bytesSent, status] = [this.#connected, this.#status];
    return new GuardedRequestError(kind, message, { bytesSent, status, cause });
  }
}

function openRequest(exchange: Exchange, agents: Agents): ClientRequest {
  const { method, url, addresses, headers, body, timeIsOver } = exchange;
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
  const isName = !/^[\d.]+$|:/.test(url.hostname);
  const length =
    body || !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)
      ? { 'content-length': String(body?.byteLength ?? 0) }
      : {};
  const options = {
    method,
    host: addresses[0],
    addresses,
    timeIsOver,
    port: Number(url.port) || (protocol === 'https:' ? 443 : 80),
    path: url.pathname + url.search,
    agent: agents[protocol],
    headers: { ...headers, ...length, 'accept-encoding': 'identity', host: url.host },
  };
  if (protocol === 'http:') return requestHttp(options);
  // The certificate must be for the name in the URL; for an address in the URL, for that address.
  return requestHttps({ ...options, servername: isName ? url.hostname : '' });
}

function joinHeaders(response: IncomingMessage): Record<string, string> {
  const joined: [string, string][] = [];
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) joined.push([name, Array.isArray(value) ? value.join(', ') : value]);
  }
  return Object.fromEntries(joined);
}

const codeOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : '';
};

function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH') return 'its network is unreachable';
  if (code === 'ETIMEDOUT') return 'it did not accept the connection in time';
  if (/CERT|TLS|SSL|SIGN|ALTNAME/.test(code)) return `the secure connection failed (${code})`;
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}

// HTTP to the platform's addresses, which the operator configures. Connections are kept alive; when a response is missing, it
// has to be known whether the request may have been processed.
import { type Connection, Connections, type Destination, TimeLimit } from '#lib/core/http/connections.ts';
import { withoutBrackets } from '#lib/core/http/public-address.ts';
import { NoAnswer, type OutgoingRequest, sendOver } from '#lib/core/http/send-over.ts';
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
  headers: Readonly<Record<string, string>>;
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
const CONNECTIONS = new Connections(IDLE_MS, MAX_IDLE);

/** Sends a request and reads the response, whatever its status. @throws ExchangeError */
export async function exchange(call: HttpCall): Promise<HttpAnswer> {
  const { route } = call;
  if (call.beforeSending && route?.isDoubtful) await untilAnswered(route, call);
  const destination = destinationOf(call);
  const connection = CONNECTIONS.take(destination, IDLE_MS) ?? (await open(destination, call));
  const answer = await send(connection, call);
  CONNECTIONS.giveBack(connection);
  return answer;
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
    await route.tryOnce(() => sendSeparately(trial));
  } catch (cause) {
    throw doesNotAnswer(url, cause);
  }
}

/** Over a new connection: whether one can be established is a part of the question. */
async function sendSeparately(call: HttpCall): Promise<void> {
  const connection = await open(destinationOf(call), call);
  await send(connection, call);
  connection.destroy(new Error('It is not needed any more.'));
}

const doesNotAnswer = ({ host }: URL, cause?: unknown): ExchangeError =>
  new ExchangeError(`${host} does not answer: nothing was sent.`, true, cause);

/** Whatever addresses the name has at the moment. */
const destinationOf = ({ url }: HttpCall): Destination => ({
  url,
  addresses: [withoutBrackets(url.hostname)],
});

/** @throws ExchangeError */
async function open(destination: Destination, { url, timeoutMs }: HttpCall): Promise<Connection> {
  const limit = new TimeLimit(timeoutMs);
  try {
    return await CONNECTIONS.open(destination, limit);
  } catch (cause) {
    const problem = limit.isOver
      ? 'did not accept the connection in time.'
      : `could not be reached (${codeOf(cause)}).`;
    throw new ExchangeError(`${url.host} ${problem}`, true, cause);
  } finally {
    limit.end();
  }
}

/** @throws ExchangeError @throws Error that `beforeSending` throws */
async function send(connection: Connection, call: HttpCall): Promise<HttpAnswer> {
  const { route } = call;
  await prepare(connection, call);
  const sent = typeof call.body === 'object' ? undefined : route?.sent();
  const limit = new TimeLimit(call.timeoutMs);
  try {
    const answer = await sendOver(
      connection,
      toRequest(call, () => sent?.answered()),
      limit,
    );
    return { ...answer, retryAfterSeconds: retryAfter(answer.headers) };
  } catch (error) {
    sent?.lost();
    throw error instanceof NoAnswer ? toExchangeError(error, call) : error;
  } finally {
    limit.end();
  }
}

/** @throws ExchangeError @throws Error that `beforeSending` throws */
async function prepare(connection: Connection, { beforeSending, route, url }: HttpCall): Promise<void> {
  if (!beforeSending) return;
  try {
    await beforeSending();
    // Other requests may have lost their responses in the meantime.
    if (route?.isDoubtful) throw doesNotAnswer(url);
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}

function toRequest({ method, url, headers, body }: HttpCall, answered: () => void): OutgoingRequest {
  const isStreamed = typeof body === 'object';
  return {
    method,
    path: url.pathname + url.search,
    headers: {
      ...headers,
      ...(isStreamed && { 'content-length': String(body.bytes) }),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
    },
    body: isStreamed ? body.chunks() : body,
    maxResponseBytes: MAX_ANSWER_BYTES,
    onHead: () => void answered(),
  };
}

function toExchangeError({ reason, isSent, cause }: NoAnswer, { url }: HttpCall): ExchangeError {
  const problems = {
    time_over: 'did not answer in time.',
    too_large: `answered with more than ${MAX_ANSWER_BYTES} bytes.`,
    broken: isSent
      ? 'broke the connection before its answer was complete.'
      : `could not be reached (${codeOf(cause)}).`,
  };
  return new ExchangeError(`${url.host} ${problems[reason]}`, !isSent, cause);
}

function retryAfter(headers: HttpAnswer['headers']): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  return /^\d{1,8}(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : 'connection failed';

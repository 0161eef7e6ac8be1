// One request to a host whose addresses were checked before: sends it and reads the response within its limits.
import type { Writable } from 'node:stream';
import { type Connection, Connections, type TimeLimit } from './connections.ts';
import { GuardedRequestError, type GuardedRequestErrorKind } from './guarded-request-error.ts';
import { isIdentity } from './request-headers.ts';
import { type Answer, NoAnswer, type ResponseHead, sendOver } from './send-over.ts';

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
  limit: TimeLimit;
}

/**
 * A kept-alive connection may be closed by the server just as it is reused. Idempotent requests use any one and are repeated then;
 * the others only one that was used a moment ago, long before servers close it for being idle.
 */
const MAY_BE_REPEATED = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

const KEPT_MS = 30_000;
/** A tenth of the time after which servers commonly close idle connections. */
const BRIEF_MS = 500;
/** To one host: as many as runs of a worker usually have open at the same time. */
const MOST_FREE = 256;
const CONNECTIONS = new Connections(KEPT_MS, MOST_FREE);

/** @throws GuardedRequestError */
export async function exchange(options: Exchange): Promise<Answer> {
  const mayBeRepeated = MAY_BE_REPEATED.includes(options.method);
  const kept = CONNECTIONS.take(options, mayBeRepeated ? KEPT_MS : BRIEF_MS);
  if (!kept) return await exchangeOver(await open(options), options);
  try {
    return await exchangeOver(kept, options);
  } catch (error) {
    const mayBeClosed =
      error instanceof GuardedRequestError && error.kind !== 'timeout' && error.status === undefined;
    if (!mayBeRepeated || !mayBeClosed || options.limit.isOver) throw error;
    return exchangeOver(await open(options), options);
  }
}

async function open(options: Exchange): Promise<Connection> {
  try {
    return await CONNECTIONS.open(options, options.limit);
  } catch (cause) {
    throw options.limit.isOver ? isTooLate(options, { bytesSent: false }) : isUnreachable(options, cause);
  }
}

async function exchangeOver(connection: Connection, options: Exchange): Promise<Answer> {
  const { method, url, headers, body, maxResponseBytes, limit } = options;
  const path = url.pathname + url.search;
  const onHead = (head: ResponseHead): Writable | undefined => readHead(head, options);
  const sent = { ...headers, 'accept-encoding': 'identity' };
  try {
    const request = { method, path, headers: sent, body, maxResponseBytes, onHead };
    const answer = await sendOver(connection, request, limit);
    CONNECTIONS.giveBack(connection);
    if (answer.body.length > 0) refuseCompressed(options, answer.status, answer.headers);
    return answer;
  } catch (error) {
    throw error instanceof NoAnswer ? toError(error, options) : error;
  }
}

/** @returns what the body is streamed to @throws GuardedRequestError */
function readHead({ status, headers }: ResponseHead, options: Exchange): Writable | undefined {
  const { method, maxResponseBytes, sink } = options;
  const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
  if (length > maxResponseBytes) throw isTooLarge(options, status);
  if (!sink || status < 200 || status > 299) return undefined;
  refuseCompressed(options, status, headers);
  return sink();
}

function refuseCompressed({ url }: Exchange, status: number, headers: ResponseHead['headers']): void {
  const encoding = headers['content-encoding'];
  if (isIdentity(encoding)) return;
  const message = `The answer of ${url.host} is compressed (${encoding?.trim().toLowerCase()}) although that was not asked for.`;
  throw new GuardedRequestError('compressed_response', message, { bytesSent: true, status });
}

function toError(
  { reason, isSent: bytesSent, status, cause }: NoAnswer,
  options: Exchange,
): GuardedRequestError {
  const { host } = options.url;
  if (reason === 'time_over') return isTooLate(options, { bytesSent, status });
  if (reason === 'too_large') return isTooLarge(options, status);
  if (!bytesSent) return isUnreachable(options, cause);
  const [kind, message]: [GuardedRequestErrorKind, string] = isNotHttp(cause)
    ? ['invalid_response', `The answer of ${host} is not valid HTTP.`]
    : ['interrupted', `The connection to ${host} broke before the answer was complete.`];
  return new GuardedRequestError(kind, message, { bytesSent, status, cause });
}

const isTooLate = ({ url }: Exchange, known: { bytesSent: boolean; status?: number | undefined }) =>
  new GuardedRequestError('timeout', `${url.host} did not answer in time.`, known);

const isTooLarge = ({ url, maxResponseBytes }: Exchange, status: number | undefined) =>
  new GuardedRequestError(
    'too_large',
    `The answer of ${url.host} is larger than ${maxResponseBytes} bytes.`,
    { bytesSent: true, status },
  );

const isUnreachable = ({ url }: Exchange, cause: unknown) =>
  new GuardedRequestError('not_sent', `${url.host} could not be reached: ${reasonOf(cause)}.`, { cause });

const isNotHttp = (cause: unknown): boolean =>
  cause instanceof Error && ['HTTPParserError', 'HeadersOverflowError'].includes(cause.name);

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

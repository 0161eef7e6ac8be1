// Agents that connect only to addresses that were checked before. Sockets are pooled by those addresses and the TLS name, so
// that a reused one cannot lead elsewhere.
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { connect, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

// Happy Eyeballs (RFC 8305). Node's own `autoSelectFamily` is not used: it abandons an address when its head start is over,
// so that a host that is merely slow is never reached.

/** How long an address is tried alone (RFC 8305, 8: Connection Attempt Delay). */
const HEAD_START_MS = 250;

/** Addresses in the given order, alternating between the two families (RFC 8305, 4). */
export function interleaveFamilies(addresses: readonly string[]): string[] {
  const startsWithIPv6 = isIPv6(addresses[0] ?? '');
  const preferred = addresses.filter((address) => isIPv6(address) === startsWithIPv6);
  const others = addresses.filter((address) => isIPv6(address) !== startsWithIPv6);
  return Array.from({ length: Math.max(preferred.length, others.length) }).flatMap((_, place) => [
    ...preferred.slice(place, place + 1),
    ...others.slice(place, place + 1),
  ]);
}

/**
 * Connects to the first address that accepts. The next one is tried when all before it have failed, or the last of them has
 * had its head start; the first established connection wins and the others are closed. Rejects with the first failure when no
 * address can be reached, and when the signal is aborted.
 */
export function connectFirst(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const attempts = new Set<Socket>();
    let headStart: NodeJS.Timeout | undefined;
    let failure: Error | undefined;
    const settle = (): void => {
      clearTimeout(headStart);
      signal.removeEventListener('abort', stop);
      for (const attempt of attempts) attempt.destroy();
    };
    const stop = (): void => {
      settle();
      reject(failure ?? new Error('The connection could not be established in time.'));
    };
    const tryNext = (): void => {
      clearTimeout(headStart);
      const host = waiting.shift();
      if (host === undefined) {
        if (attempts.size === 0) stop();
        return;
      }
      const socket = connect({ host, port, noDelay: true });
      attempts.add(socket);
      headStart = setTimeout(tryNext, HEAD_START_MS);
      const fail = (error: Error): void => {
        failure ??= error;
        attempts.delete(socket);
        if (attempts.size === 0) tryNext();
      };
      socket.once('error', fail).once('connect', () => {
        socket.off('error', fail);
        attempts.delete(socket);
        settle();
        resolve(socket);
      });
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else tryNext();
  });
}

/** Options of a request's connection besides Node's own. */
export interface CheckedAddresses {
  addresses: readonly string[];
  port: number;
  /** Aborted at the timeout. */
  timeIsOver: AbortSignal;
}

type Created = (error: Error | null, socket: Duplex) => void;

const nameOf = (name: string, options: object | undefined): string =>
  `${name}:${(options as CheckedAddresses).addresses.toSorted().join(',')}`;

class CheckedAgent extends Agent {
  override getName(options?: ClientRequestArgs): string {
    return nameOf(super.getName(options), options);
  }

  override createConnection(options: ClientRequestArgs, created: Created): undefined {
    connectTo(options as unknown as CheckedAddresses, created, (socket) => socket);
  }
}

class CheckedHttpsAgent extends HttpsAgent {
  override getName(options?: RequestOptions): string {
    return nameOf(super.getName(options), options);
  }

  override createConnection(options: RequestOptions, created: Created): undefined {
    connectTo(options as unknown as CheckedAddresses, created, (socket) =>
      super.createConnection({ ...options, socket } as RequestOptions),
    );
  }
}

function connectTo(
  { addresses, port, timeIsOver }: CheckedAddresses,
  created: Created,
  wrap: (socket: Duplex) => Duplex | null | undefined,
): void {
  connectFirst(addresses, port, timeIsOver)
    .then((socket) => wrap(socket) ?? socket)
    .then(
      (socket) => created(null, socket),
      (error: Error) => created(error, undefined as unknown as Duplex),
    );
}

const makeAgents = (options?: AgentOptions) => ({
  'http:': new CheckedAgent(options),
  'https:': new CheckedHttpsAgent(options),
});

/** To one host: as many as runs of a worker usually have open at the same time. */
const maxFreeSockets = 256;
export const KEPT_AGENTS = makeAgents({ keepAlive: true, maxFreeSockets, timeout: 30_000 });
/** A tenth of the time after which servers commonly close idle connections; Node's agent also heeds what a response says of it. */
export const BRIEF_AGENTS = makeAgents({ keepAlive: true, maxFreeSockets, timeout: 500 });
export const FRESH_AGENTS = makeAgents();

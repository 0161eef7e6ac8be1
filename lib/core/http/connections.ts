// Connections to HTTP servers, which are kept for further requests, and the time that work over them may take.
import { connect, isIPv6, type Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import buildConnector from 'undici/lib/core/connect.js';
import { withoutBrackets } from './public-address.ts';

/** The time that some work may take. It concerns one step after the other, as work has them. */
export class TimeLimit {
  readonly #timer: NodeJS.Timeout;
  #isOver = false;
  #stop: (() => void) | undefined;

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#stop?.();
    }, milliseconds);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @param stop ends the current step: called when the time is over, at once where it is. No step before is stopped any more. */
  whenOver(stop: () => void): void {
    this.#stop = stop;
    if (this.#isOver) stop();
  }

  /** The work is done. */
  end(): void {
    clearTimeout(this.#timer);
    this.#stop = undefined;
  }
}

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

/** Where a connection leads. */
export interface Destination {
  url: URL;
  /** IP addresses: only these are connected to, whatever the name resolves to. Or a name. */
  addresses: readonly string[];
}

/** TLS over an established connection, with the sessions of earlier ones. */
const shakeHands = buildConnector({ allowH2: false, timeout: 0 });

/**
 * Opens a connection; with TLS, the certificate must be for the name in the URL, or for the address in it. It is read until
 * something uses it, so that it is destroyed when the server closes it.
 * @throws Error of the first address that could not be reached, of the handshake, or that the time is over
 */
async function openSocket({ url, addresses }: Destination, limit: TimeLimit): Promise<Socket> {
  const { protocol, hostname, host } = url;
  const timeIsOver = new AbortController();
  limit.whenOver(() => timeIsOver.abort());
  const isSecure = protocol === 'https:';
  const port = url.port || (isSecure ? '443' : '80');
  const plain = await connectFirst(addresses, Number(port), timeIsOver.signal);
  plain.on('error', () => undefined);
  if (!isSecure) return plain.resume();
  limit.whenOver(() => plain.destroy());
  return new Promise((resolve, reject) => {
    const options = { protocol, hostname: withoutBrackets(hostname), host, port, httpSocket: plain };
    shakeHands(options, (error, socket) => (error ? reject(error) : resolve(socket.resume())));
  });
}

/** Responses say how long a server keeps a connection: requests stop that much earlier to use it. */
const MARGIN_MS = 1000;

/** One for all: Node reads the stack of an error that ends a connection, and that takes longer than the rest. */
const IS_SURPLUS = new Error('There are enough connections.');

/** An open connection, for one request at a time. */
export class Connection {
  /** Where it leads: connections with the same key can be exchanged for each other. */
  readonly key: string;
  readonly #client: Client;
  readonly #destination: Destination;
  #socket: Socket;
  /** The client has not got the socket yet. */
  #isNew = true;
  #limit: TimeLimit | undefined;
  #usedAt = -Infinity;

  /** @param idleMs it is closed when it was not used for this time @param onClose it was closed */
  constructor(
    destination: Destination,
    socket: Socket,
    idleMs: number,
    onClose: (closed: Connection) => void,
  ) {
    this.key = keyOf(destination);
    this.#destination = destination;
    this.#socket = socket;
    this.#client = new Client(destination.url.origin, {
      allowH2: false,
      // The limits of a request are its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      keepAliveTimeoutThreshold: MARGIN_MS,
      connect: (_options, connected) => {
        this.#connect().then(
          (connection) => connected(null, connection),
          (error: Error) => connected(error, null),
        );
      },
    });
    this.#client.on('disconnect', () => onClose(this));
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Since its last response. */
  idleMs(now: number): number {
    return now - this.#usedAt;
  }

  /**
   * Sends a request. Where the connection turns out to be closed before anything was written, another one is opened.
   * `onRequestStart` is called right before the first byte is written.
   */
  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler, limit: TimeLimit): void {
    this.#limit = limit;
    this.#client.dispatch(request, handler);
  }

  /** Its response is complete. */
  markUsed(now: number): void {
    this.#usedAt = now;
  }

  /** Ends what it carries with the error. */
  destroy(error: Error): void {
    if (this.#isNew) this.#socket.destroy();
    void this.#client.destroy(error);
  }

  async #connect(): Promise<Socket> {
    if (this.#limit && (!this.#isNew || this.#socket.destroyed)) {
      this.#socket = await openSocket(this.#destination, this.#limit);
      this.#usedAt = -Infinity;
    }
    this.#isNew = false;
    return this.#socket;
  }
}

/** Connections that carry no request at the moment, by where they lead. */
export class Connections {
  readonly #idleMs: number;
  readonly #most: number;
  readonly #free = new Map<string, Connection[]>();

  /** @param idleMs how long they are kept at most @param most to one destination */
  constructor(idleMs: number, most: number) {
    this.#idleMs = idleMs;
    this.#most = most;
  }

  /** The one that was used last, unless that is longer ago than `idleMs`. */
  take(destination: Destination, idleMs: number): Connection | undefined {
    const key = keyOf(destination);
    const free = this.#free.get(key);
    const newest = free?.at(-1);
    if (!free || !newest || newest.idleMs(performance.now()) > idleMs) return undefined;
    free.pop();
    if (free.length === 0) this.#free.delete(key);
    return newest.isOpen ? newest : this.take(destination, idleMs);
  }

  /** @throws Error why it could not be opened in time */
  async open(destination: Destination, limit: TimeLimit): Promise<Connection> {
    const socket = await openSocket(destination, limit);
    return new Connection(destination, socket, this.#idleMs, (closed) => this.#forget(closed));
  }

  /** For the next request. Where there are enough, the one that was used longest ago is closed. */
  giveBack(connection: Connection): void {
    const free = this.#free.get(connection.key) ?? [];
    free.push(connection);
    this.#free.set(connection.key, free);
    if (free.length > this.#most) free.shift()?.destroy(IS_SURPLUS);
  }

  #forget(closed: Connection): void {
    const free = this.#free.get(closed.key);
    const place = free?.indexOf(closed) ?? -1;
    if (!free || place < 0) return;
    free.splice(place, 1);
    if (free.length === 0) this.#free.delete(closed.key);
  }
}

/** With the addresses, so that a kept one cannot lead elsewhere. */
const keyOf = ({ url, addresses }: Destination): string => `${url.origin} ${addresses.toSorted().join(',')}`;

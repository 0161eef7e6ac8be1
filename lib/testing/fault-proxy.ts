// A proxy with network faults, between the product and its database or platform.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * - `pass`: no fault.
 * - `delay`: every chunk takes 200 ms longer, either way.
 * - `blackhole`: nothing arrives any more, without an error.
 * - `half_open`: requests arrive, responses do not.
 * - `lose_answer`: connections break when the next response is in transit, after the server has processed the request.
 * - `vanish`: existing connections are permanently dead, without an error; new ones work.
 * - `reset`: connections, including new ones, break as soon as data is sent.
 */
export type NetworkFault = 'pass' | 'delay' | 'blackhole' | 'half_open' | 'lose_answer' | 'vanish' | 'reset';

const DELAY_MS = 200;

export interface FaultProxy {
  port: number;
  /** A URL of the server through the proxy. */
  through(url: string): string;
  set(fault: NetworkFault): void;
  /** Number of connections with a request that the server has not begun to answer. */
  unanswered(): number;
  /** Cuts all connections and refuses new ones, like an unavailable server. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connections of a blackhole are cut when it ends, as by network equipment. @param at address to listen on; left out: a free
 * port of loopback
 */
export async function startFaultProxy(
  target: { host: string; port: number },
  at = { host: '127.0.0.1', port: 0 },
): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let fault: NetworkFault = 'pass';
  const vanished = new WeakSet<Socket>();
  /** Connections of callers. */
  const waiting = new Set<Socket>();

  function forward(from: Socket, to: Socket, isAnswer: boolean): void {
    /** Data is written in the order of arrival, whatever the delay. */
    let written = Promise.resolve();
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      waiting.delete(from);
      to.destroy();
    });
    from.on('data', (chunk: Buffer) => {
      if (vanished.has(from)) return;
      if (fault === 'blackhole' || (fault === 'half_open' && isAnswer)) return;
      if (isAnswer) waiting.delete(to);
      else waiting.add(from);
      if (fault === 'reset' || (fault === 'lose_answer' && isAnswer)) return void from.destroy();
      const delayMs = fault === 'delay' ? DELAY_MS : 0;
      written = written.then(async () => {
        if (delayMs > 0) await sleep(delayMs);
        if (to.writable) to.write(chunk);
      });
    });
  }

  const server = createServer((inbound) => {
    const outbound = connect(target.port, target.host);
    forward(inbound, outbound, false);
    forward(outbound, inbound, true);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(server, at.port, at.host);
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      cut();
    });
  return {
    port,
    through(url) {
      const changed = new URL(url);
      changed.hostname = at.host;
      changed.port = String(port);
      return changed.href.replace(/\/$/, '');
    },
    set(next) {
      if (next === 'vanish') for (const socket of sockets) vanished.add(socket);
      const swallowed = fault === 'blackhole' || fault === 'half_open';
      fault = next;
      if (swallowed) cut();
    },
    unanswered: () => waiting.size,
    cut: close,
    restore: () => listen(server, port, at.host),
    close,
  };
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });

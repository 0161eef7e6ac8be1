// In development the launcher listens on the public port: a changed source restarts web, and connections in the meantime are
// not refused. It forwards bytes, so that web sees all callers as local (webhooks' rules for addresses, TRUST_PROXY), and
// WebSockets of Next's reload pass.
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ListenAddress } from '#lib/core/http/listen-hosts.ts';
import { listen } from '../listen.ts';
import { claimPort } from './ports.ts';

const RETRY_MS = 25;
/** How long a connection waits for web to listen; longer than web takes to stop and start. */
const HOLD_MS = 60_000;

export interface Door {
  /** Port for web on 127.0.0.1. */
  innerPort: number;
  /** Holds new connections until the work is done; web is ending, and would not accept all of them. */
  holdDuring(work: Promise<void>): Promise<void>;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
}

/**
 * Accepts connections and forwards them to web.
 * @throws the error of `net.Server.listen`, such as `EADDRINUSE`
 */
export async function openDoor(address: ListenAddress): Promise<Door> {
  const innerPort = await claimPort({ hosts: ['127.0.0.1'], port: 0 }, 'PORT');
  const sockets = new Set<Socket>();
  let holds = 0;

  async function forward(outer: Socket): Promise<void> {
    const deadline = Date.now() + HOLD_MS;
    while (!outer.destroyed) {
      const inner = holds > 0 ? null : await connectTo(innerPort);
      if (inner) return join(outer, inner);
      if (Date.now() > deadline) return void outer.destroy();
      await wait(RETRY_MS);
    }
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (outer) => {
    sockets.add(outer);
    outer.on('error', () => undefined).once('close', () => sockets.delete(outer));
    void forward(outer);
  });
  const listening = await listen(server, address);
  return {
    innerPort,
    async holdDuring(work) {
      holds += 1;
      await work.finally(() => (holds -= 1));
    },
    async close() {
      const closed = listening.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** null: nothing listens there. */
function connectTo(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    socket.once('connect', () => resolve(socket)).on('error', () => resolve(null));
  });
}

/** An end or an error on one side is passed to the other. */
function join(outer: Socket, inner: Socket): void {
  outer.pipe(inner).pipe(outer);
  outer.once('close', () => inner.destroy());
  inner.once('close', (hadError) => (hadError ? outer.destroy() : outer.end()));
  if (outer.destroyed) inner.destroy();
}

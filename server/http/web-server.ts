import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Listening } from '../listen.ts';
import { responseClass } from './response.ts';

export interface WebServer {
  server: Server;
  /**
   * Stops listening, announces with every response that the connection closes, and resolves when the last one is closed. Idle
   * ones stay open for a second, because a proxy may just be sending a request, which it would not retry (RFC 9112, 9.3.1);
   * those still open after `deadlineMs` are cut.
   */
  stop(listening: Pick<Listening, 'close'>, deadlineMs: number): Promise<void>;
}

/** For what is on its way from a proxy of the same network. */
const IDLE_GRACE_MS = 1000;

/**
 * An HTTP/1.1 server whose answers can be read whenever they are sent; offers to speak another protocol are ignored, but
 * for that over which Next says in development what has changed.
 */
export function createWebServer(
  { development }: { development: boolean },
  handle: RequestListener,
): WebServer {
  let stopping = false;
  const upgraded = new Set<Socket>();
  const options = {
    keepAliveTimeout: 65_000,
    requestTimeout: 120_000,
    ServerResponse: responseClass(() => stopping),
    // Clients offer h2c with ordinary requests (RFC 9110, 7.8), and Next listens for upgrades once it served a page.
    shouldUpgradeCallback({ socket }: IncomingMessage) {
      if (development) upgraded.add(socket.once('close', () => upgraded.delete(socket)));
      return development;
    },
  };
  const server = createServer(options, handle);
  return {
    server,
    async stop(listening, deadlineMs) {
      stopping = true;
      // What has connected by now is accepted first: the kernel would reset it.
      await new Promise(setImmediate);
      const closed = listening.close();
      // The server counts them as connections, and ends none of them.
      for (const socket of upgraded) socket.destroy();
      const idle = setTimeout(() => server.closeIdleConnections(), IDLE_GRACE_MS);
      const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await closed;
      clearTimeout(idle);
      clearTimeout(deadline);
    },
  };
}

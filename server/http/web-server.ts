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

/** Time for requests in transit from a proxy of the same network. */
const IDLE_GRACE_MS = 1000;

/**
 * An HTTP/1.1 server whose responses can always be read; protocol upgrades are ignored, except the one for Next's hot reload in
 * development.
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
    // Clients offer h2c with ordinary requests (RFC 9110, 7.8), and Next listens for upgrades after it has served a page.
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
      // Pending connections are accepted first: otherwise the kernel would reset them.
      await new Promise(setImmediate);
      const closed = listening.close();
      // The server counts them as connections, but does not end them.
      for (const socket of upgraded) socket.destroy();
      const idle = setTimeout(() => server.closeIdleConnections(), IDLE_GRACE_MS);
      const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await closed;
      clearTimeout(idle);
      clearTimeout(deadline);
    },
  };
}

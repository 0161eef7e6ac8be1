import { type AddressInfo, createServer, Server } from 'node:net';
import type { ListenAddress } from '#lib/core/http/listen-hosts.ts';

export interface Listening {
  /** The chosen port where 0 was requested. */
  port: number;
  /** Stops listening; settles once all connections have ended. It does not end any, unlike `http.Server.close`. */
  close(): Promise<void>;
}

/**
 * Connections that may wait to be accepted; Linux allows no more by default (`net.core.somaxconn`). Where Node's 511 were full
 * in a flood of 8,000 connections, the kernel reset a quarter of them after they had sent their request.
 */
const BACKLOG = 4096;

/** Error codes for hosts that this machine does not have: `::1` where IPv6 is disabled. */
const HOST_MISSING = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Makes a server listen on every host, all on one port (0: a free one). Hosts after the first that this machine does not have
 * are left out. Their connections are passed to the one server, which handles timeouts.
 * @throws the error of `net.Server.listen`, such as `EADDRINUSE`
 */
export async function listen(
  server: Server,
  { hosts, port, reusePort = false }: ListenAddress & { reusePort?: boolean },
): Promise<Listening> {
  const [first, ...others] = hosts;
  await listenOn(server, { host: first, port, reusePort });
  const chosen = (server.address() as AddressInfo).port;
  const servers = [server];
  const close = async () => {
    await Promise.all(
      servers.map((each) => new Promise((closed) => Server.prototype.close.call(each, closed))),
    );
  };
  for (const host of others) {
    const entrance = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
    try {
      await listenOn(entrance, { host, port: chosen, reusePort });
      servers.push(entrance);
    } catch (error) {
      if (HOST_MISSING.includes((error as NodeJS.ErrnoException).code ?? '')) continue;
      await close();
      throw error;
    }
  }
  return { port: chosen, close };
}

function listenOn(
  server: Server,
  options: { host: string | undefined; port: number; reusePort: boolean },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...options, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface DatabaseProxy {
  /** The database's URL by way of the proxy. */
  url: string;
  /** Cuts all connections and refuses new ones, as a database does that went away. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

/** A way to a database that a test can cut without harm to the server that others use. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((inbound) => {
    const outbound = connect(Number(port), hostname);
    for (const [socket, other] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    inbound.pipe(outbound).pipe(inbound);
  });
  await listen(server, 0);
  const ownPort = (server.address() as AddressInfo).port;
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(ownPort);
  return {
    url: url.href,
    cut() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
    },
    restore: () => listen(server, ownPort),
  };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });

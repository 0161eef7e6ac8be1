// A client that posts JSON over a number of kept connections.
import { connect } from 'node:net';
import { endsConnection, readMessages } from './messages.ts';

export interface Prepared {
  body: string;
  headers: Readonly<Record<string, string>>;
}

export interface HttpClient {
  /** Waits for a free connection. @returns the status of the response @throws Error when the connection breaks before it */
  post(request: Prepared): Promise<number>;
  close(): void;
}

interface Connection {
  post(request: Prepared): Promise<number>;
  close(): void;
}

/** @param connections at most */
export function openClient(url: string, connections: number): HttpClient {
  const open = new Set<Connection>();
  const free: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];

  const forget = (connection: Connection): void => {
    open.delete(connection);
    const at = free.indexOf(connection);
    if (at >= 0) free.splice(at, 1);
  };
  const add = (): Connection => {
    const connection = openConnection(url, () => forget(connection));
    open.add(connection);
    return connection;
  };
  const take = (): Connection | Promise<Connection> => {
    const connection = free.pop();
    if (connection) return connection;
    if (open.size < connections) return add();
    return new Promise((resolve) => waiting.push(resolve));
  };
  /** The next request gets it, or a new one where it broke. */
  const release = (connection: Connection): void => {
    const next = waiting.shift();
    if (next) next(open.has(connection) ? connection : add());
    else if (open.has(connection)) free.push(connection);
  };
  return {
    post: async (request) => {
      const taken = take();
      const connection = taken instanceof Promise ? await taken : taken;
      try {
        return await connection.post(request);
      } finally {
        release(connection);
      }
    },
    close: () => {
      for (const connection of open) connection.close();
    },
  };
}

/** One request after another. @param onEnd when it breaks, or is closed */
function openConnection(url: string, onEnd: () => void): Connection {
  const { hostname, port, host, pathname, search } = new URL(url);
  const start = `POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const socket = connect({ host: hostname, port: Number(port) || 80, noDelay: true });
  let settle: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  let failure = new Error('The connection was closed before the response.');
  readMessages(socket, ({ head }) => {
    if (endsConnection(head)) {
      onEnd();
      socket.destroy();
    }
    settle?.resolve(Number(head.slice(9, 12)));
    settle = undefined;
  });
  socket.on('error', (error) => (failure = error));
  socket.on('close', () => {
    onEnd();
    settle?.reject(failure);
  });
  return {
    post: ({ body, headers }) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`${start}Content-Length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n${body}`);
      }),
    close: () => socket.destroy(),
  };
}

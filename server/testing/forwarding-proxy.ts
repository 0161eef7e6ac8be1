// A reverse proxy in front of Patchbay: it distributes requests over its targets and forwards the caller's address.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForwardingProxy {
  base: URL;
  /** Number of requests of each target, by host and port. */
  given: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Distributes requests in turn; targets that accept no connection are skipped, as by any load balancer. */
export async function startForwardingProxy(...targets: URL[]): Promise<ForwardingProxy> {
  const agent = new Agent({ keepAlive: true });
  const given = new Map<string, number>();
  let next = 0;
  const server = createServer((req, res) => void forward(req, res, next++, targets.length));

  function forward(req: IncomingMessage, res: ServerResponse, turn: number, triesLeft: number): void {
    const target = targets[turn % targets.length] as URL;
    const before = req.headers['x-forwarded-for'];
    const from = req.socket.remoteAddress ?? 'unknown';
    const headers = { ...req.headers, 'x-forwarded-for': before ? `${String(before)}, ${from}` : from };
    const onward = request(new URL(req.url ?? '/', target), { method: req.method, headers, agent });
    onward.on('socket', (socket) => {
      const send = (): void => {
        given.set(target.host, (given.get(target.host) ?? 0) + 1);
        req.pipe(onward);
      };
      if (socket.connecting) socket.once('connect', send);
      else send();
    });
    onward.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', (error: NodeJS.ErrnoException) => {
      const isRefused = error.code === 'ECONNREFUSED' || error.code === 'EHOSTUNREACH';
      if (isRefused && triesLeft > 1) return forward(req, res, turn + 1, triesLeft - 1);
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end(`${error.code ?? error.message}\n`);
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: new URL(`http://127.0.0.1:${port}`),
    given,
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

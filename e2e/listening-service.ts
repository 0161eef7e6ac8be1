import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that stores the result of `read` for each request, and responds with the result of `repeat`. */
export async function startListeningService<Seen>(
  read: (request: IncomingMessage) => Seen,
  repeat: (seen: Seen) => unknown,
): Promise<{ url: string; seen: Seen[]; stop: () => void }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const heard = read(request);
    seen.push(heard);
    response.end(`You sent ${String(repeat(heard))}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, stop: () => void server.close() };
}

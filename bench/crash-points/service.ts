// A service that workflows call. It logs the requests that it processed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Service {
  url: string;
  host: string;
  /** Processed requests, each as `POST /path`. */
  requests: string[];
  /** Holds the responses to `/hold/…`, or releases them. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

/** `/once/…` refuses the first attempt; `/hold/…` is processed at once, and answered when it is released. */
export async function startService(): Promise<Service> {
  const requests: string[] = [];
  const refused = new Set<string>();
  let released: PromiseWithResolvers<void> | undefined;
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    request.resume().on('end', () => {
      if (url.startsWith('/once/') && !refused.has(url)) {
        refused.add(url);
        response.writeHead(503, { 'Retry-After': '0' }).end();
        return;
      }
      requests.push(`${method} ${url}`);
      const answer = (): void => void response.end('{}');
      if (url.startsWith('/hold/') && released) void released.promise.then(answer);
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    hold() {
      released = Promise.withResolvers();
    },
    release() {
      released?.resolve();
      released = undefined;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleAppHookRequest, handleHookRequest } from '#lib/messaging/notifications/hook-route.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';

/** The product's receivers, of the app and of connections, at an address that the platform can reach. */
export async function listenForPlatform(
  runtime: MessagingRuntime,
): Promise<{ baseUrl: string; close: () => void }> {
  const server = createServer((incoming, outgoing) => {
    const url = new URL(`http://localhost${incoming.url}`);
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = 'GET' } = incoming;
      const signature = incoming.headers['x-hub-signature-256'];
      const request = new Request(url, {
        method,
        headers: typeof signature === 'string' ? { 'x-hub-signature-256': signature } : {},
        body: method === 'GET' ? null : Buffer.concat(chunks),
      });
      const token = /^\/hooks\/messaging\/(.+)$/.exec(url.pathname)?.[1];
      const answering =
        token === undefined
          ? handleAppHookRequest(runtime, request)
          : handleHookRequest(runtime, token, request);
      void answering.then(async (response) => outgoing.writeHead(response.status).end(await response.text()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getReceiver } from '#lib/messaging/connections/receivers.ts';
import { verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import { answerHandshake, receiveNotification } from '#lib/messaging/notifications/hook-route.ts';
import { type MessagingWorld, PLATFORM_IDS } from './messaging-world.ts';

/** A connection's receiver at an address for the sandbox: it gets all notifications of its account until it is closed. */
export async function startReceiver(
  world: MessagingWorld,
  connectionId: string,
): Promise<{ close: () => void }> {
  const token = (await getReceiver(world.ctx, { id: connectionId })).url.split('/').at(-1) ?? '';
  const { hot: pool, secrets, platform, logger } = world.runtime;
  const deps = { pool, secrets, appSecret: platform.appSecret, logger };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = request.headers['x-hub-signature-256']?.toString() ?? null;
      const answering =
        request.method === 'GET'
          ? answerHandshake(deps, token, url.searchParams)
          : receiveNotification(deps, { token, rawBody: Buffer.concat(chunks), signature });
      void answering.then(({ status, body }) => response.writeHead(status).end(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await world.control('POST', 'subscriptions', {
    callback_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    verify_token: verifyTokenOf(token),
    account_id: PLATFORM_IDS.books,
  });
  return {
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

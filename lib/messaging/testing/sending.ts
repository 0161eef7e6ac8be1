import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { uploadMedia } from '#lib/messaging/platform/media.ts';

export const CUSTOMER = '15550001111';

export let world: MessagingWorld;
/** A server of files: `/image/png/1000` is a picture of a thousand bytes. */
export let filesUrl: string;
/** Settings that every action needs. */
export let base: Record<string, unknown>;
let files: Server;

/** Gives a test file a world with a connection to send from, and a server of files. */
export function setUpSending(): void {
  beforeAll(async () => {
    world = await startMessagingWorld();
    const { id } = await world.connect();
    base = {
      app_connection_id: id,
      business_account_id: PLATFORM_IDS.books,
      phone_number_id: PLATFORM_IDS.booksOrders,
      recipient: CUSTOMER,
    };
    files = createServer((request, response) => {
      const [, type = '', bytes = '10'] = /^\/([\w.-]+\/[\w.+-]+)\/?(\d*)/.exec(request.url ?? '') ?? [];
      response.writeHead(type === '' ? 404 : 200, { 'content-type': type || 'text/plain' });
      response.end(Buffer.alloc(Number(bytes || '10')));
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    files.closeAllConnections();
    files.close();
    await world.end();
  });
  beforeEach(() => world.control('DELETE', 'faults'));
}

/** Uploads a picture to the number that sends; gives its media id. */
export async function uploadPicture(): Promise<string> {
  const access = { settings: world.ctx.platform, accessToken: (await world.mint()).access_token };
  const file = { name: 'a.png', mimeType: 'image/png', content: new Blob([new Uint8Array(10)]) };
  return uploadMedia(access, PLATFORM_IDS.booksOrders, file);
}

/** What the platform was asked last. */
export const lastCall = async () => (await world.calls(`target=graph&method=POST`)).at(-1);

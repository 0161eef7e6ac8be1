import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { uploadMedia } from '#lib/messaging/platform/media.ts';

export const CUSTOMER = '15550001111';

/** A connection to send from, and a server of files; its properties are available once the tests run. */
export class SendingTest {
  world!: MessagingWorld;
  /** URL of the file server: `/image/png/1000` is a picture of a thousand bytes. */
  filesUrl = '';
  /** Settings that every action needs. */
  base: Record<string, unknown> = {};
  readonly #files = createServer((request, response) => {
    const [, type = '', bytes = '10'] = /^\/([\w.-]+\/[\w.+-]+)\/?(\d*)/.exec(request.url ?? '') ?? [];
    response.writeHead(type === '' ? 404 : 200, { 'content-type': type || 'text/plain' });
    response.end(Buffer.alloc(Number(bytes || '10')));
  });

  async start(): Promise<void> {
    this.world = await startMessagingWorld();
    this.base = {
      app_connection_id: (await this.world.connect()).id,
      business_account_id: PLATFORM_IDS.books,
      phone_number_id: PLATFORM_IDS.booksOrders,
      recipient: CUSTOMER,
    };
    await new Promise<void>((resolve) => this.#files.listen(0, '127.0.0.1', resolve));
    this.filesUrl = `http://127.0.0.1:${(this.#files.address() as AddressInfo).port}`;
  }

  async end(): Promise<void> {
    this.#files.closeAllConnections();
    this.#files.close();
    await this.world.end();
  }

  /** Uploads a picture for the sending number. @returns its media id */
  async uploadPicture(): Promise<string> {
    const access = { settings: this.world.ctx.platform, accessToken: (await this.world.mint()).access_token };
    const file = { name: 'a.png', mimeType: 'image/png', content: new Blob([new Uint8Array(10)]) };
    return uploadMedia(access, PLATFORM_IDS.booksOrders, file);
  }

  /** The last call to the platform. */
  async lastCall() {
    return (await this.world.calls('target=graph&method=POST')).at(-1);
  }
}

/** Creates a connection for sending for a test file. */
export function setUpSending(): SendingTest {
  const sending = new SendingTest();
  beforeAll(() => sending.start());
  afterAll(() => sending.end());
  beforeEach(() => sending.world.control('DELETE', 'faults'));
  return sending;
}

// Files from customers are downloaded from the sandbox, stored, and returned as a link.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TaskError } from '#lib/engine/task-executor.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { VERSION } from '#lib/core/version.ts';
import { pruneMedia } from '#lib/messaging/media/open-media-store.ts';
import { serveMedia } from '#lib/messaging/media/serve-media.ts';
import { sealLink } from '#lib/messaging/media/media-link.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { messagingBusinessMore } from './definition.ts';
import { createMoreExecutor } from './execute.ts';

let world: MessagingWorld;
let folder: string;
let connectionId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-test-media-'));
  world = await startMessagingWorld({ MEDIA_FOLDER: folder });
  connectionId = (await world.connect()).id;
});
beforeEach(() => world.control('DELETE', 'faults'));
afterAll(async () => {
  await world.end();
  await rm(folder, { recursive: true, force: true });
});

const PICTURE = Buffer.from('a picture, as far as anybody knows');

/** The customer sends a file. @returns its media id */
async function sends(
  bytes = PICTURE,
  media: object = { kind: 'image', mime_type: 'image/jpeg' },
): Promise<string> {
  const { payload } = await world.customerWrites('15550002222', PLATFORM_IDS.booksOrders, {
    media: { ...media, base64: bytes.toString('base64') },
  });
  const { type } = payload as { type: string };
  return (payload[type] as { id: string }).id;
}

async function getMedia(
  mediaId: string,
  more: JsonObject = {},
  runtime = world.runtime,
): Promise<JsonObject> {
  const settings = { action: 'get_media', app_connection_id: connectionId, media_id: mediaId, ...more };
  const result = await createMoreExecutor(async () => runtime).execute({
    ...taskContext(messagingBusinessMore, settings),
    workspaceId: world.workspaceId,
    now: new Date(),
  });
  if (result.kind !== 'done') throw new Error('It never waits.');
  return result.output as JsonObject;
}

const failure = async (...input: Parameters<typeof getMedia>): Promise<TaskError> => {
  const error = await getMedia(...input).catch((reason: unknown) => reason);
  if (error instanceof Error && error.name === 'TaskError') return error as TaskError;
  throw new Error('It did not fail as a task does.', { cause: error });
};

const tokenOf = (url: unknown): string => new URL(String(url)).pathname.split('/')[2] ?? '';

test('platform-conversation §6: the file is stored, and its link gives it as a download', async () => {
  const output = await getMedia(await sends(), { filename: 'Küche "neu".jpg' });
  expect(output).toMatchObject({
    action: 'get_media',
    mime_type: 'image/jpeg',
    size: PICTURE.length,
    sha256: createHash('sha256').update(PICTURE).digest('hex'),
    filename: 'Küche "neu".jpg',
  });
  const expiresAt = Date.parse(output['expires_at'] as string);
  expect(expiresAt - Date.now()).toBeGreaterThan(6.9 * 24 * 3_600_000);
  const response = await serveMedia(world.runtime, tokenOf(output['url']), 'GET');
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PICTURE);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(PICTURE.length),
    'content-disposition': `attachment; filename="K_che _neu_.jpg"; filename*=UTF-8''K%C3%BCche%20%22neu%22.jpg`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

test('a file that a browser could run is bytes; a name follows from the media id', async () => {
  const page = { kind: 'document', mime_type: 'text/html', filename: 'a.html' };
  const output = await getMedia(await sends(Buffer.from('<script>alert(1)</script>'), page));
  expect(output['filename']).toMatch(/^media-\d+\.bin$/);
  const response = await serveMedia(world.runtime, tokenOf(output['url']), 'HEAD');
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(await response.text()).toBe('');
});

test('a link that nobody here made gets 403, one that expired 410', async () => {
  const { url } = await getMedia(await sends());
  const token = tokenOf(url);
  const last = token.at(-2) === 'A' ? 'B' : 'A';
  for (const wrong of ['', 'no-token', `${token.slice(0, -2)}${last}${token.at(-1)}`]) {
    const response = await serveMedia(world.runtime, wrong, 'GET');
    expect([response.status, await response.text()]).toEqual([403, expect.stringMatching(/not valid/)]);
  }
  const file = { key: `2026-01-01/${'a'.repeat(32)}`, filename: 'a.jpg', mimeType: 'image/jpeg' };
  const old = await serveMedia(world.runtime, tokenOf(sealLink(world.runtime, file, new Date(0))), 'GET');
  expect([old.status, await old.text()]).toEqual([410, expect.stringMatching(/expired/)]);
  const later = new Date(Date.now() + 60_000);
  const gone = await serveMedia(world.runtime, tokenOf(sealLink(world.runtime, file, later)), 'GET');
  expect([gone.status, await gone.text()]).toEqual([410, expect.stringMatching(/removed/)]);
});

test('in S3-compatible storage, the link is the storage’s own', async () => {
  const directory = join(folder, 's3');
  const configureBuckets = [{ name: 'media', configs: [] }];
  const server = new S3rver({ port: 0, silent: true, directory, configureBuckets });
  try {
    const { port } = await server.run();
    const runtime = world.openRuntime({
      MEDIA_STORE: 's3',
      MEDIA_S3_BUCKET: 'media',
      MEDIA_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      MEDIA_S3_ACCESS_KEY_ID: 'S3RVER',
      MEDIA_S3_SECRET_ACCESS_KEY: 'S3RVER',
    });
    const { url } = await getMedia(await sends(), {}, runtime);
    const link = new URL(url as string);
    expect(link.port).toBe(String(port));
    expect(link.searchParams.get('X-Amz-Expires')).toMatch(/^60479\d|604800$/);
    const response = await fetch(link);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PICTURE);
    await runtime.close();
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
});

test('files are removed after their retention', async () => {
  const { url } = await getMedia(await sends());
  const day = 24 * 3_600_000;
  await pruneMedia(world.runtime, new Date(Date.now() + 29 * day));
  expect((await serveMedia(world.runtime, tokenOf(url), 'HEAD')).status).toBe(200);
  await pruneMedia(world.runtime, new Date(Date.now() + 32 * day));
  expect((await serveMedia(world.runtime, tokenOf(url), 'HEAD')).status).toBe(410);
  expect(await readdir(folder)).toEqual([]);
});

describe('what cannot be had', () => {
  test('a media id that the platform does not know', async () => {
    expect(await failure('999999999999')).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^Media not found: /) as string,
      retry: { kind: 'never' },
    });
  });

  /** A platform with given responses; its host is the only allowed private one. */
  async function withPlatform<Result>(
    answers: (path: string, origin: string) => { status?: number; body: string | Buffer } | undefined,
    work: (runtime: MessagingWorld['runtime'], asked: string[]) => Promise<Result>,
  ): Promise<Result> {
    const asked: string[] = [];
    const server: Server = createServer((request, response) => {
      asked.push(`${(request.url ?? '').replace(/\?.*/, '')} ${request.headers['user-agent']}`);
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { status = 200, body = '' } = answers(request.url ?? '', origin) ?? { status: 404 };
      // Without a length: it is sent in chunks.
      response.writeHead(status).write(body);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const graphUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      return await work({ ...world.runtime, platform: { ...world.runtime.platform, graphUrl } }, asked);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const facts = (url: string, more: object = {}) => ({
    body: JSON.stringify({ id: '1', url, mime_type: 'image/png', file_size: '3', sha256: '', ...more }),
  });

  test('a URL that is gone is asked for again, once', async () => {
    const asked = await withPlatform(
      (path, origin) => (path.startsWith('/v') ? facts(`${origin}/gone`) : undefined),
      async (runtime, urls) => {
        expect(await failure('1', {}, runtime)).toMatchObject({ code: 'media_failure' });
        return urls;
      },
    );
    const agent = `Patchbay/${VERSION}`;
    expect(asked).toEqual([`/v18.0/1 ${agent}`, `/gone ${agent}`, `/v18.0/1 ${agent}`, `/gone ${agent}`]);
  });

  test('a URL in the private network, other than the platform’s, is not called', async () => {
    await withPlatform(
      (path) => (path.startsWith('/v') ? facts(`${world.sandbox.url}/healthz`) : undefined),
      async (runtime) => {
        const error = await failure('1', {}, runtime);
        expect(error.message).toMatch(/not a public address/);
        expect(error.retry).toEqual({ kind: 'never' });
      },
    );
  });

  test('a file that is not what was announced is damaged, one of more than 100 MB too large', async () => {
    const sha256 = 'a'.repeat(64);
    await withPlatform(
      (path, origin) => (path.startsWith('/v') ? facts(`${origin}/file`, { sha256 }) : { body: 'abc' }),
      async (runtime) =>
        expect(await failure('1', {}, runtime)).toMatchObject({
          message: expect.stringMatching(/SHA-256 differs/) as string,
          retry: { kind: 'backoff' },
        }),
    );
    await withPlatform(
      (path, origin) =>
        path.startsWith('/v') ? facts(`${origin}/file`, { file_size: '104857601' }) : undefined,
      async (runtime, asked) => {
        expect((await failure('1', {}, runtime)).message).toMatch(/more than 100 MB/);
        expect(asked).toHaveLength(1);
      },
    );
  });

  test('a file that has more than 100 MB, whatever was announced, is given up on the way', async () => {
    const body = Buffer.alloc(100 * 1024 * 1024 + 1);
    await withPlatform(
      (path, origin) => (path.startsWith('/v') ? facts(`${origin}/file`) : { body }),
      async (runtime) => expect((await failure('1', {}, runtime)).message).toMatch(/more than 100 MB/),
    );
  });

  test('a token that the download refuses is renewed, and the file is had', async () => {
    const mediaId = await sends();
    await world.control('POST', 'tokens/expire', { kind: 'access' });
    expect(await getMedia(mediaId)).toMatchObject({ size: PICTURE.length });
  });
});

// Against an S3-compatible server (s3rver). It checks keys and dates of signatures, but not the signatures themselves, which
// the library creates (docs/decisions/media-store.md).
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newMediaKey } from './media-store.ts';
import { createS3Store } from './s3-store.ts';

/** What the server accepts. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const CONTENT = Buffer.from('a picture, as far as anybody knows');
const sha256 = createHash('sha256').update(CONTENT).digest('hex');

let folder: string;
let path: string;
let server: S3rver;
let settings: Parameters<typeof createS3Store>[0];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-test-s3-'));
  path = join(folder, 'file');
  await writeFile(path, CONTENT);
  const directory = join(folder, 'store');
  server = new S3rver({
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'media', configs: [] }],
  });
  const { port } = await server.run();
  settings = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', bucket: 'media', credentials };
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const put = async (storedAt: Date) => {
  const file = { key: newMediaKey(storedAt), filename: 'Küche.jpg', mimeType: 'image/jpeg' };
  await createS3Store(settings).put(file, { path, bytes: CONTENT.length, sha256 });
  return file;
};
const get = async (url: string) => {
  const response = await fetch(url);
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
};
const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

test('a stored file is had by its link, as a download under its name', async () => {
  const url = await createS3Store(settings).link(await put(new Date()), inSeconds(60));
  const { status, headers, body } = await get(url);
  expect({ status, body }).toEqual({ status: 200, body: CONTENT });
  expect(headers.get('content-type')).toBe('image/jpeg');
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="K_che.jpg"; filename*=UTF-8''K%C3%BCche.jpg`,
  );
});

test('a link that has expired gives nothing', async () => {
  const url = new URL(await createS3Store(settings).link(await put(new Date()), inSeconds(60)));
  expect(url.searchParams.get('X-Amz-Expires')).toMatch(/^(59|60)$/);
  url.searchParams.set('X-Amz-Date', '20260101T000000Z');
  expect((await get(url.href)).status).toBe(403);
});

test('a key that the storage does not know stores nothing', async () => {
  const other = { ...settings, credentials: { ...credentials, accessKeyId: 'unknown' } };
  const file = { key: newMediaKey(new Date()), filename: 'a.jpg', mimeType: 'image/jpeg' };
  await expect(createS3Store(other).put(file, { path, bytes: CONTENT.length, sha256 })).rejects.toThrow(
    /Access Key/,
  );
});

test('a file that is removed is gone; removing it again is no error', async () => {
  const store = createS3Store(settings);
  const file = await put(new Date());
  await store.remove(file.key);
  await store.remove(file.key);
  expect((await get(await store.link(file, inSeconds(60)))).status).toBe(404);
});

test('files of days before a day are removed, others stay', async () => {
  const store = createS3Store(settings);
  const [old, kept] = [await put(new Date('2026-01-01')), await put(new Date('2026-02-01'))];
  expect(await store.prune(new Date('2026-02-01T12:00:00Z'))).toBe(1);
  expect((await get(await store.link(old, inSeconds(60)))).status).toBe(404);
  expect((await get(await store.link(kept, inSeconds(60)))).status).toBe(200);
});

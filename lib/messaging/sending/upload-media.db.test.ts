import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withAccessToken } from '#lib/messaging/connections/tokens/access-token.ts';
import { getMedia } from '#lib/messaging/platform/media.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { uploadMedia } from './upload-media.ts';

const MEGABYTE = 1024 * 1024;

let world: MessagingWorld;
let connectionId: string;

beforeAll(async () => {
  world = await startMessagingWorld();
  connectionId = (await world.connect()).id;
});
afterAll(() => world.end());

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield Buffer.alloc(MEGABYTE, sent);
}

const upload = (fileName: string, megabyteCount: number, more: object = {}) =>
  uploadMedia(world.ctx, {
    connectionId,
    phoneNumberId: PLATFORM_IDS.booksOrders,
    fileName,
    bytes: megabyteCount * MEGABYTE,
    content: megabytes(megabyteCount),
    ...more,
  });

const leftovers = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('patchbay-upload-'));

test('a file becomes a media id of its type and size', async () => {
  const { media_id, kind } = await upload('Reading – “new”.mp4', 12);
  expect(kind).toBe('video');
  const facts = await withAccessToken(world.ctx, connectionId, (access) => getMedia(access, media_id));
  expect(facts).toMatchObject({ id: media_id, mimeType: 'video/mp4', bytes: 12 * MEGABYTE });
});

test('a token that the platform refuses is renewed, and the file sent again', async () => {
  await world.control('POST', 'tokens/expire', { kind: 'access' });
  const { media_id } = await upload('a.pdf', 3);
  const facts = await withAccessToken(world.ctx, connectionId, (access) => getMedia(access, media_id));
  expect(facts.bytes).toBe(3 * MEGABYTE);
});

test.each([
  ['of a type that no message carries', 'a.gif', 1, {}, 'unsupported_media_type'],
  ['that is announced as too large', 'a.png', 6, {}, 'body_too_large'],
  ['that is larger than announced', 'a.png', 6, { bytes: 10 }, 'body_too_large'],
  ['without a size', 'a.png', 6, { bytes: undefined }, 'body_too_large'],
  ['for a connection that is not there', 'a.png', 1, { connectionId: 'gone' }, 'not_found'],
  ['for a number of somebody else', 'a.png', 1, { phoneNumberId: '399999999999999' }, 'not_found'],
])('a file %s is refused', async (_, fileName, count, more, code) => {
  await expect(upload(fileName, count, more)).rejects.toMatchObject({ code });
});

test('another workspace cannot upload through a connection', async () => {
  const elsewhere = { ...world.ctx, workspaceId: '00000000-0000-7000-8000-000000000001' };
  const file = { connectionId, phoneNumberId: PLATFORM_IDS.booksOrders, fileName: 'a.png', bytes: 1 };
  const uploading = uploadMedia(elsewhere, { ...file, content: megabytes(1) });
  await expect(uploading).rejects.toMatchObject({ code: 'not_found' });
});

test('no file is left behind', async () => {
  const before = await leftovers();
  await upload('a.png', 1);
  await upload('a.png', 6, { bytes: 1 }).catch(() => undefined);
  expect(await leftovers()).toEqual(before);
});

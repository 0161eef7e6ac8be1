// The sample file of a media header, from the upload to a template that is approved with it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MessagingWorld, startMessagingWorld } from '#lib/messaging/testing/messaging-world.ts';
import { createMessageTemplate, uploadSample } from './edit-message-templates.ts';

let world: MessagingWorld;
let connectionId: string;

beforeAll(async () => {
  world = await startMessagingWorld();
  connectionId = (await world.connect()).id;
});
afterAll(() => world.end());

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(1000, 1);
  yield Buffer.alloc(500, 2);
}

const upload = (fileName: string) =>
  uploadSample(world.ctx, { connectionId, fileName, bytes: 1500, content: pieces() });

test('the file goes in two calls, and its handle makes a template', async () => {
  const { handle } = await upload('Herbst Katalog.png');
  const [session, bytes] = (await world.calls()).slice(-2);
  expect(session).toMatchObject({
    method: 'POST',
    path: 'connections/uploads',
    query: { file_name: 'Herbst Katalog.png', file_length: '1500', file_type: 'image/png' },
    status: 200,
  });
  expect(bytes).toMatchObject({
    method: 'POST',
    path: expect.stringMatching(/^upload:/) as string,
    status: 200,
  });
  const created = await createMessageTemplate(world.ctx, {
    id: connectionId,
    name: 'with_image',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
      { type: 'BODY', text: 'Our new catalog is here.' },
    ],
  });
  expect(created.status).toBe('PENDING');
});

test('a token that was refused is renewed, and the file sent again', async () => {
  await world.control('POST', 'tokens/expire', { kind: 'access' });
  expect((await upload('a.pdf')).handle).not.toBe('');
});

test('formats that no template takes', async () => {
  await expect(upload('a.webp')).rejects.toMatchObject({ code: 'unsupported_media_type' });
  await expect(upload('a.exe')).rejects.toMatchObject({ code: 'unsupported_media_type' });
});

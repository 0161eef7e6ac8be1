// Forms whose files are stored (docs/webhooks.md, "Forms"), through both doors, in a folder and in S3.
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as openRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import {
  chain,
  countEvents,
  db,
  DOORS,
  errorCode,
  eventOf,
  json,
  send,
  setTask,
  setUpDoors,
  startDoor,
  trigger,
} from './testing/webhook-doors.ts';

setUpDoors();

const MAX_UPLOAD_BYTES = 400_000;
const PICTURE = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.alloc(100_000, 7),
]);
const SECRET = 'hush';
const settings = { body_types: 'json_forms_and_files', response_body: '{{photo_url}}' };
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

const part = (head: string, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from('--b--\r\n')]);
const PHOTO = form(
  part('name="name"', 'Ada'),
  part('name="photo"; filename="me.txt"\r\nContent-Type: text/plain', PICTURE),
);

interface StoredValue {
  url: string;
  expires_at: string;
}

const bodyOf = async (answer: Parameters<typeof eventOf>[0]): Promise<Record<string, unknown>> =>
  JSON.parse((await eventOf(answer))?.body?.toString() ?? '') as Record<string, unknown>;

describe.each(DOORS)('files of forms: %s', (door) => {
  const place = mkdtempSync(join(tmpdir(), 'patchbay-test-files-'));
  const [media, temporary] = [join(place, 'media'), mkdtempSync(join(place, 'tmp-'))];
  let web: Awaited<ReturnType<typeof startDoor>>;
  const stored = (): string[] =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath.startsWith(media))
      .map(({ name }) => name);
  const post = (path: string, input: Parameters<typeof send>[2]) =>
    send(door, new URL(path, web.base).href, { headers: multipart, ...input });

  beforeAll(async () => {
    web = await startDoor(door, {
      MEDIA_FOLDER: media,
      TMPDIR: temporary,
      MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
    });
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('a file is stored; the event, and tasks, have a signed link, name, real type and size', async () => {
    const { token } = await insertWorkflow(
      db.$client,
      chain(trigger(settings), setTask(2, '{{task_1_photo_filename}} {{task_1_photo_size}}')),
    );
    const answer = await post(`/webhook/${token}`, { body: PHOTO });
    expect(answer.status).toBe(200);
    const { name, photo } = await bodyOf(answer);
    expect(name).toBe('Ada');
    expect(photo).toEqual({
      url: answer.body,
      filename: 'me.txt',
      mime_type: 'image/png',
      size: PICTURE.length,
      sha256: createHash('sha256').update(PICTURE).digest('hex'),
      expires_at: expect.stringMatching(/Z$/) as string,
    });
    const file = await fetch(answer.body.replace(/^http:\/\/[^/]+/, web.base.origin));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="me.txt"/);
    expect(Buffer.from(await file.arrayBuffer()).equals(PICTURE)).toBe(true);
    const days = Date.parse((photo as StoredValue).expires_at) - Date.now();
    expect(Math.round(days / 86_400_000)).toBe(7);
    expect(stored()).toHaveLength(1);
    await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([]));
  });

  it('a copy of a form is recognized by its texts and files, whatever its boundary, and stores no file again', async () => {
    const keyed = { ...settings, deduplicate_by: 'field', deduplicate_field: 'name' };
    const { token } = await insertWorkflow(db.$client, chain(trigger(keyed)));
    const before = stored().length;
    const original = await post(`/webhook/${token}`, { body: PHOTO });
    const copy = await post(`/webhook/${token}`, {
      headers: { 'content-type': 'multipart/form-data; boundary=c' },
      body: Buffer.from(PHOTO.toString('latin1').replaceAll('--b', '--c'), 'latin1'),
    });
    expect([copy.status, copy.body, copy.headers['idempotent-replayed']]).toEqual([
      200,
      original.body,
      'true',
    ]);
    const other = await post(`/webhook/${token}`, {
      body: form(part('name="name"', 'Ada'), part('name="photo"; filename="me.txt"', 'another file')),
    });
    expect([other.status, errorCode(other)]).toEqual([422, 'key_reused']);
    await vi.waitFor(() => expect(stored()).toHaveLength(before + 1));
  });

  it('the test URL stores it as well, as its event can be seen', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger(settings)));
    const answer = await post(`/webhook-test/${token}`, { body: PHOTO });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('task_1_photo_mime_type');
  });

  it('an event that can be replayed keeps its files', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger(settings)));
    await db.$client.query('update workflows set active = false where id = $1', [workflowId]);
    const before = stored().length;
    const answer = await post(`/webhook/${token}`, { body: PHOTO });
    expect([answer.status, errorCode(answer)]).toEqual([409, 'workflow_not_active']);
    expect(stored()).toHaveLength(before + 1);
  });

  it('JSON and forms without files are received as ever', async () => {
    const { token } = await insertWorkflow(
      db.$client,
      chain(trigger({ ...settings, response_body: '{{name}}' })),
    );
    expect((await post(`/webhook/${token}`, { headers: json, body: '{"name":"Ada"}' })).body).toBe('Ada');
    const body = form(part('name="name"', 'Ada'), part('name="photo"; filename=""', ''));
    const answer = await post(`/webhook/${token}`, { body });
    expect([answer.body, await bodyOf(answer)]).toEqual(['Ada', { name: 'Ada', photo: '' }]);
  });

  it('a signature counts for the bytes as they arrived; of what is refused nothing is stored', async () => {
    const signed = { ...settings, caller_check: 'hmac', caller_header: 'X-Signature', caller_secret: SECRET };
    const { token } = await insertWorkflow(db.$client, chain(trigger(signed)));
    const signature = createHmac('sha256', SECRET).update(PHOTO).digest('hex');
    const before = stored().length;
    const wrong = await post(`/webhook/${token}`, {
      headers: { ...multipart, 'x-signature': signature.replace(/./, 'x') },
      body: PHOTO,
    });
    expect([wrong.status, errorCode(wrong)]).toEqual([401, 'invalid_signature']);
    expect(await eventOf(wrong)).toMatchObject({ outcome: 'rejected', body: null });
    expect(stored()).toHaveLength(before);
    const headers = { ...multipart, 'x-signature': signature };
    expect((await post(`/webhook/${token}`, { headers, body: PHOTO })).status).toBe(200);
    expect(stored()).toHaveLength(before + 1);
  });

  it.each<[string, Parameters<typeof send>[2], number, string]>([
    [
      'too large',
      { body: form(part('name="f"; filename="a"', Buffer.alloc(MAX_UPLOAD_BYTES))) },
      413,
      'body_too_large',
    ],
    [
      'too large, in chunks',
      { body: form(part('name="f"; filename="a"', Buffer.alloc(MAX_UPLOAD_BYTES))), chunked: true },
      413,
      'body_too_large',
    ],
    [
      'with too many files',
      { body: form(...Array.from({ length: 21 }, () => part('name="f"; filename="a"', 'x'))) },
      413,
      'body_too_large',
    ],
    ['cut off', { body: PHOTO.subarray(0, 5000) }, 400, 'invalid_request'],
    [
      'compressed',
      { headers: { ...multipart, 'content-encoding': 'gzip' }, body: PHOTO },
      415,
      'unsupported_media_type',
    ],
  ])('a form that is %s is refused, and nothing of it stored', async (_, input, status, code) => {
    const { token } = await insertWorkflow(db.$client, chain(trigger(settings)));
    const before = stored().length;
    const answer = await post(`/webhook/${token}`, input);
    expect([answer.status, errorCode(answer)]).toEqual([status, code]);
    expect((await eventOf(answer))?.outcome).toBe('rejected');
    expect(stored()).toHaveLength(before);
    await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([]));
  });

  it('nothing is stored over the rate, or of a caller that goes away', async () => {
    const { token, workspaceId, workflowId } = await insertWorkflow(db.$client, chain(trigger(settings)));
    const before = stored().length;
    const req = openRequest(new URL(`/webhook/${token}`, web.base), {
      method: 'POST',
      headers: { ...multipart, 'content-length': PHOTO.length },
    });
    req.on('error', () => undefined);
    req.write(PHOTO.subarray(0, 50_000));
    await vi.waitFor(() => expect(readdirSync(temporary)).toHaveLength(1));
    req.destroy();
    await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([]));
    await db.$client.query('update workspaces set webhook_rate_per_second = 1 where id = $1', [workspaceId]);
    await vi.waitFor(async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => post(`/webhook/${token}`, { body: PHOTO })),
      );
      const limited = answers.filter(({ status }) => status === 429);
      expect(limited.length).toBeGreaterThan(0);
    }, 20_000);
    expect(stored().length - before).toBe(await countEvents(workflowId));
  });

  it('a store that does not work is 503, and neither an event nor half of the files stays', async () => {
    const other = mkdtempSync(join(place, 'broken-'));
    const broken = await startDoor(door, { MEDIA_FOLDER: other, TMPDIR: temporary });
    rmSync(other, { recursive: true });
    writeFileSync(other, 'no folder');
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger(settings)));
    const url = new URL(`/webhook/${token}`, broken.base).href;
    const answer = await send(door, url, { headers: multipart, body: PHOTO });
    await broken.process.stop();
    expect([answer.status, errorCode(answer)]).toEqual([503, 'overloaded']);
    expect(await countEvents(workflowId)).toBe(0);
    await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([]));
  });
});

describe('files of forms in S3', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-test-files-s3-'));
  let server: S3rver;
  let port: number;
  beforeAll(async () => {
    server = new S3rver({
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'media', configs: [] }],
    });
    ({ port } = await server.run());
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the link is the one that the storage signs; a refused form leaves nothing in the bucket', async () => {
    const web = await startDoor('node', {
      MEDIA_STORE: 's3',
      MEDIA_S3_BUCKET: 'media',
      MEDIA_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      MEDIA_S3_ACCESS_KEY_ID: 'S3RVER',
      MEDIA_S3_SECRET_ACCESS_KEY: 'S3RVER',
    });
    const objects = (): string[] =>
      readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('_object'));
    const { token } = await insertWorkflow(db.$client, chain(trigger(settings)));
    const url = new URL(`/webhook/${token}`, web.base).href;
    const cut = await send('node', url, { headers: multipart, body: PHOTO.subarray(0, 5000) });
    expect([cut.status, objects()]).toEqual([400, []]);
    const answer = await send('node', url, { headers: multipart, body: PHOTO });
    await web.process.stop();
    expect(answer.status).toBe(200);
    expect(objects()).toHaveLength(1);
    const file = await fetch(answer.body);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await file.arrayBuffer()).equals(PICTURE)).toBe(true);
  });
});

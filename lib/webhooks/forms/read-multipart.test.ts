import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReceivedFile } from './form-files.ts';
import { readMultipart } from './read-multipart.ts';

const LIMITS = { fields: 10, textBytes: 1000, files: 2 };
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-test-form-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const part = (head: string, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from('--b--\r\n');

/** Sends the body in chunks, like a network. */
const read = (parts: Buffer[], { chunkBytes = 7, keep = true, limits = LIMITS } = {}) => {
  const body = Buffer.concat(parts);
  const chunks = Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, index) =>
    body.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  return readMultipart(Readable.from(chunks), 'multipart/form-data; boundary=b', {
    limits,
    ...(keep && { folder }),
  });
};
const problemOf = async (...input: Parameters<typeof read>) => {
  const form = await read(...input);
  return 'problem' in form ? form.problem : undefined;
};

describe('a form with files', () => {
  it('gives texts, and files with their hash, size and real type, in their order', async () => {
    const form = await read([
      part('name="name"', 'Ada Ü'),
      part('name="photo"; filename="C:\\\\temp\\\\a.txt"\r\nContent-Type: text/html', PNG),
      part('name="note"; filename="note.html"\r\nContent-Type: image/png', '<script>alert(1)</script>'),
      part('name="none"; filename=""\r\nContent-Type: application/octet-stream', ''),
      END,
    ]);
    if ('problem' in form) throw new Error(form.problem.message);
    const [name, photo, note, none] = form.fields;
    expect([name, none]).toEqual([
      ['name', 'Ada Ü'],
      ['none', ''],
    ]);
    expect(photo).toMatchObject(['photo', { filename: 'a.txt', bytes: PNG.length, mimeType: 'image/png' }]);
    expect(note?.[1]).toMatchObject({ filename: 'note.html', mimeType: 'text/plain' });
    const { path, sha256 } = photo?.[1] as ReceivedFile;
    expect(readFileSync(path)).toEqual(PNG);
    expect(sha256).toBe(createHash('sha256').update(PNG).digest('hex'));
  });

  it('keeps every byte, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3000 }),
        fc.integer({ min: 1, max: 4000 }),
        async (bytes, chunkBytes) => {
          const form = await read([part('name="f"; filename="a"', Buffer.from(bytes)), END], { chunkBytes });
          if ('problem' in form) throw new Error(form.problem.message);
          const file = form.fields[0]?.[1] as ReceivedFile;
          expect(Buffer.compare(readFileSync(file.path), bytes)).toBe(0);
          rmSync(file.path);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each<[string, Buffer[], object, string, RegExp]>([
    [
      'too many files',
      [1, 2, 3].map((n) => part(`name="f${n}"; filename="a"`, 'x')),
      {},
      'body_too_large',
      /more than 2 files/,
    ],
    [
      'a file where files are refused',
      [part('name="f"; filename="a"', 'x')],
      { keep: false },
      'unsupported_media_type',
      /"f" is a file/,
    ],
    [
      'a file without a name',
      [part('name="f"; filename=""', 'x')],
      {},
      'unsupported_media_type',
      /without a name/,
    ],
    [
      'too many fields',
      Array.from({ length: 11 }, (_, n) => part(`name="${n}"`, '')),
      {},
      'invalid_request',
      /more than 10 fields/,
    ],
    [
      'too much text',
      [part('name="a"', 'x'.repeat(600)), part('name="b"', 'x'.repeat(600))],
      {},
      'body_too_large',
      /larger than 1,000 bytes/,
    ],
    [
      'one text that is too long',
      [part('name="a"', 'x'.repeat(5000))],
      {},
      'body_too_large',
      /larger than 1,000 bytes/,
    ],
    [
      'names that are too long',
      [part(`name="${'x'.repeat(2000)}"`, '')],
      {},
      'body_too_large',
      /larger than/,
    ],
    ['a part without a name', [part('filename="a"', 'x')], {}, 'invalid_request', /no name/],
  ])('%s is refused', async (_, parts, options, code, message) => {
    expect(await problemOf([...parts, END], options)).toEqual({
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  it.each([
    ['nothing', []],
    ['another boundary', [Buffer.from('--c\r\n\r\n--c--\r\n')]],
    ['cut off in a file', [part('name="f"; filename="a"', 'x'.repeat(500)).subarray(0, 300)]],
    ['cut off in a head', [part('name="a"', '1'), Buffer.from('--b\r\nContent-Dispo')]],
    ['without its end', [part('name="a"', '1')]],
  ])('%s is no form', async (_, parts) => {
    expect(await problemOf(parts)).toMatchObject({ code: 'invalid_request' });
  });

  it('random bytes never hang and never throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const form = await read([Buffer.from('--b\r\n'), Buffer.from(bytes)]);
        expect(form).toBeDefined();
      }),
      { numRuns: 100 },
    );
  });

  it('an error of the disk is no mistake of the caller', async () => {
    rmSync(folder, { recursive: true });
    await expect(read([part('name="f"; filename="a"', 'x'), END])).rejects.toThrow(/ENOENT/);
  });

  it('a path in a name leads nowhere', async () => {
    await read([part('name="f"; filename="../../../etc/evil"', 'x'), END]);
    expect(readdirSync(folder)).toEqual(['file-1']);
  });
});

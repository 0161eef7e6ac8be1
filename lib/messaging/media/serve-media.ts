import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import { contentDisposition } from './file-name.ts';
import { mediaPath } from './folder-store.ts';
import { openLink } from './media-link.ts';
import type { StoredFile } from './media-store.ts';

/** Browsers save files from customers and never display them at our address. */
const SAFE = {
  ...ANSWER_HEADERS,
  'Cross-Origin-Resource-Policy': 'same-site',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
};

/** Answers `/files/<token>/<name>`: the file of a link from Patchbay. 403 for any other link, 410 after it has expired. */
export async function serveMedia(
  { media, secrets }: Pick<MessagingRuntime, 'media' | 'secrets'>,
  token: string,
  method: string,
): Promise<Response> {
  const link = openLink(secrets, token, new Date());
  if (link.state === 'invalid')
    return refuse(403, 'This link is not valid. Check that it was copied as a whole.');
  if (link.state === 'expired')
    return refuse(410, 'This link has expired. If it is of “Get media”, run that task again for a new one.');
  const { store } = media;
  const file = store.kind === 'folder' ? await openStored(store.folder, link.file) : undefined;
  if (!file) return refuse(410, 'This file was removed: files are only kept for a limited time.');
  const headers = { ...SAFE, ...describe(link.file, file.bytes) };
  if (method !== 'HEAD') return new Response(file.stream(), { headers });
  return new Response(null, { headers });
}

async function openStored(
  folder: string,
  { key }: StoredFile,
): Promise<{ bytes: number; stream: () => ReadableStream<Uint8Array> } | undefined> {
  const path = mediaPath(folder, key);
  try {
    const handle = await open(path);
    const { size } = await handle.stat();
    await handle.close();
    const stream = () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    return { bytes: size, stream };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Types that browsers do not execute; anything else is served as bytes. */
const PLAIN_TYPES = /^(image\/(jpeg|png|webp)|(audio|video)\/[\w.+-]+|application\/pdf|text\/plain)$/;

function describe({ filename, mimeType }: StoredFile, bytes: number): Record<string, string> {
  return {
    'Content-Type': PLAIN_TYPES.test(mimeType) ? mimeType : 'application/octet-stream',
    'Content-Length': String(bytes),
    'Content-Disposition': contentDisposition(filename),
  };
}

function refuse(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { ...SAFE, 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

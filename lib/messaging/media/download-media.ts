// Downloads a file from the platform to a temporary one. Its URL is treated like a user-given one: only public hosts, and the
// platform's own.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardedRequest } from '#lib/core/http/guarded-request.ts';
import { GuardedRequestError } from '#lib/core/http/guarded-request-error.ts';
import type { GraphAccess } from '#lib/messaging/platform/graph.ts';
import { getMedia, type MediaFacts } from '#lib/messaging/platform/media.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { USER_AGENT } from '#lib/messaging/platform/exchange.ts';

/** The platform's maximum. */
const MAX_MEDIA_BYTES = 100 * 1024 * 1024;
/** For 100 MB over a line of 3 Mbit/s. */
const TIMEOUT_MS = 5 * 60_000;
const MAX_REDIRECTS = 3;

export interface DownloadedMedia {
  /** Of the temporary file. */
  path: string;
  bytes: number;
  mimeType: string;
  /** In hexadecimal. */
  sha256: string;
}

/** Why an existing file of the platform could not be downloaded. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly kind: 'too_large' | 'refused' | 'unreachable' | 'damaged';

  constructor(kind: DownloadError['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * Downloads a file and passes it to `work` as a temporary one, which is removed afterwards. It is never completely in memory.
 * @throws PlatformError, DownloadError
 */
export async function withDownloadedMedia<Result>(
  access: GraphAccess,
  mediaId: string,
  work: (media: DownloadedMedia) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-media-'));
  try {
    const path = join(folder, 'file');
    const { mimeType, sha256: expected } = await download(access, mediaId, path);
    const [{ size: bytes }, sha256] = [await stat(path), await hashOf(path)];
    if (expected !== '' && expected !== sha256)
      throw new DownloadError(
        'damaged',
        'The file is not the one that the platform announced: its SHA-256 differs.',
      );
    return await work({ path, bytes, mimeType, sha256 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The URL is valid for five minutes at most: if it has expired, the platform is queried again. */
async function download(access: GraphAccess, mediaId: string, path: string): Promise<MediaFacts> {
  const first = await getMedia(access, mediaId);
  assertSize(first.bytes);
  const status = await fetchTo(access, first.url, path);
  if (status !== 404) return accepted(status, first);
  const second = await getMedia(access, mediaId);
  return accepted(await fetchTo(access, second.url, path), second);
}

function accepted(status: number, facts: MediaFacts): MediaFacts {
  if (status >= 200 && status <= 299) return facts;
  // A refused token is renewed as after any other call.
  if (status === 401) throw new PlatformError('token', { httpStatus: status });
  throw new DownloadError(
    status >= 500 ? 'unreachable' : 'refused',
    `The platform answered the download with ${status}.`,
  );
}

function assertSize(bytes: number): void {
  if (bytes > MAX_MEDIA_BYTES) throw new DownloadError('too_large', 'The file has more than 100 MB.');
}

async function fetchTo({ settings, accessToken }: GraphAccess, url: string, path: string): Promise<number> {
  try {
    const { status } = await guardedRequest({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${accessToken}`, 'user-agent': USER_AGENT },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_MEDIA_BYTES,
      maxRedirects: MAX_REDIRECTS,
      allowedPrivateHosts: settings.graphUrl === undefined ? [] : [new URL(settings.graphUrl).host],
      sink: () => createWriteStream(path, { mode: 0o600 }),
    });
    return status;
  } catch (error) {
    if (!(error instanceof GuardedRequestError)) throw error;
    if (error.kind === 'too_large')
      throw new DownloadError('too_large', 'The file has more than 100 MB.', error);
    if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC')
      throw new DownloadError('unreachable', 'The temporary folder of the server is full.', error);
    const isRefused = error.kind === 'refused_address' || error.kind === 'invalid_url';
    throw new DownloadError(isRefused ? 'refused' : 'unreachable', error.message, error);
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

import { readFile } from 'node:fs/promises';
import { GraphError } from '../graph-error.ts';
import { keepMedia } from '../keep-media.ts';
import type { Media, SentMediaKind } from '../model.ts';
import type { World } from '../world.ts';
import { bareMimeType, largestSticker, listMimeTypes, MEDIA_RULES } from './media-rules.ts';

const FETCH_TIMEOUT_MS = 10_000;

/**
 * Downloads a link like the platform, and stores it. Throws 131052 (cannot be downloaded) or 131053 (wrong type, too large);
 * the spec requires a public URL with a valid content type, within the limit of its kind.
 */
export async function fetchMedia(
  world: World,
  phoneId: string,
  kind: SentMediaKind,
  link: string,
  filename: string | null,
): Promise<Media> {
  const example = await findExampleFile(kind, link);
  if (example) return keepMedia(world, { phoneId, filename, ...example });
  let response: Response;
  try {
    response = await fetch(link, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  } catch (error) {
    throw new GraphError(131052, `Media download error: ${causeOf(error)} (${link})`);
  }
  if (!response.ok)
    throw new GraphError(
      131052,
      `Media download error: Downloading media from weblink failed with http code ${response.status}`,
    );
  const mimeType = bareMimeType(response.headers.get('content-type') ?? '');
  assertMediaType(world, kind, mimeType);
  const bytes = await readUpTo(response, MEDIA_RULES[kind].largestBytes);
  if (kind === 'sticker') assertMediaSize(bytes.length, largestSticker(bytes));
  return keepMedia(world, { phoneId, mimeType, filename, bytes });
}

/** Throws 131053 if this kind of message does not support the type. */
export function assertMediaType(world: World, kind: SentMediaKind, mimeType: string): void {
  const mimeTypes = listMimeTypes(world, kind);
  if (mimeTypes.includes(mimeType)) return;
  throw new GraphError(
    131053,
    `Unsupported ${kind} mime type ${mimeType || '(none)'}. Please use one of: ${mimeTypes.join(', ')}.`,
  );
}

/** Throws 131053 if it is too large for its kind. */
export function assertMediaSize(sizeBytes: number, largestBytes: number): void {
  if (sizeBytes > largestBytes)
    throw new GraphError(131053, `Media file is larger than the limit of ${largestBytes} bytes.`);
}

async function readUpTo(response: Response, largestBytes: number): Promise<Buffer> {
  assertMediaSize(Number(response.headers.get('content-length') ?? 0), largestBytes);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      assertMediaSize(bytes, largestBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof GraphError) throw error;
    throw new GraphError(131052, `Media download error: ${causeOf(error)}`);
  }
  return Buffer.concat(chunks);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

// Links in guides and starters point to example.com, which has no files: the sandbox's own files replace them.

const SAMPLES = {
  image: { file: 'parcel.png', mimeType: 'image/png' },
  document: { file: 'invoice.pdf', mimeType: 'application/pdf' },
  sticker: { file: 'sticker.webp', mimeType: 'image/webp' },
} satisfies Partial<Record<SentMediaKind, { file: string; mimeType: string }>>;

/** One of the sandbox's own files. */
export async function readSample(kind: keyof typeof SAMPLES): Promise<{ mimeType: string; bytes: Buffer }> {
  const { file, mimeType } = SAMPLES[kind];
  return { mimeType, bytes: await readFile(new URL(`../public/samples/${file}`, import.meta.url)) };
}

/** The sample for a picture or document at example.com or below it (RFC 2606); null for every other link. */
async function findExampleFile(
  kind: SentMediaKind,
  link: string,
): Promise<{ mimeType: string; bytes: Buffer } | null> {
  const host = URL.canParse(link) ? new URL(link).hostname : '';
  if (!Object.hasOwn(SAMPLES, kind) || (host !== 'example.com' && !host.endsWith('.example.com')))
    return null;
  return readSample(kind as keyof typeof SAMPLES);
}

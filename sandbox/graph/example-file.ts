// Links of guides and starters lead to example.com, where nobody has files: the sandbox's own stand in for them.
import { readFile } from 'node:fs/promises';
import type { SentMediaKind } from '../model.ts';

const SAMPLES = {
  image: { file: 'parcel.png', mimeType: 'image/png' },
  document: { file: 'invoice.pdf', mimeType: 'application/pdf' },
  sticker: { file: 'sticker.webp', mimeType: 'image/webp' },
} satisfies Partial<Record<SentMediaKind, { file: string; mimeType: string }>>;

/** A file of the sandbox's own. */
export async function readSample(kind: keyof typeof SAMPLES): Promise<{ mimeType: string; bytes: Buffer }> {
  const { file, mimeType } = SAMPLES[kind];
  return { mimeType, bytes: await readFile(new URL(`../public/samples/${file}`, import.meta.url)) };
}

/** The sample for a picture or document at example.com or below it (RFC 2606); null for every other link. */
export async function findExampleFile(
  kind: SentMediaKind,
  link: string,
): Promise<{ mimeType: string; bytes: Buffer } | null> {
  const host = URL.canParse(link) ? new URL(link).hostname : '';
  if (!Object.hasOwn(SAMPLES, kind) || (host !== 'example.com' && !host.endsWith('.example.com')))
    return null;
  return readSample(kind as keyof typeof SAMPLES);
}

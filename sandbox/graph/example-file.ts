// Links of guides and starters lead to example.com, where nobody has files: the sandbox's own stand in for them.
import { readFile } from 'node:fs/promises';
import type { MediaKind } from '../model.ts';

const SAMPLES: Partial<Record<MediaKind, { file: string; mimeType: string }>> = {
  image: { file: 'parcel.png', mimeType: 'image/png' },
  document: { file: 'invoice.pdf', mimeType: 'application/pdf' },
};

/** The sample for a picture or document at example.com or below it (RFC 2606); null for every other link. */
export async function findExampleFile(
  kind: MediaKind,
  link: string,
): Promise<{ mimeType: string; bytes: Buffer } | null> {
  const sample = SAMPLES[kind];
  const host = URL.canParse(link) ? new URL(link).hostname : '';
  if (!sample || (host !== 'example.com' && !host.endsWith('.example.com'))) return null;
  const bytes = await readFile(new URL(`../public/samples/${sample.file}`, import.meta.url));
  return { mimeType: sample.mimeType, bytes };
}

// Links to files that Patchbay itself serves. Links are encrypted: they cannot be forged, changed or read, and can be decrypted
// with every key of ENCRYPTION_KEYS.
import * as z from 'zod';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { StoredFile } from './media-store.ts';

export interface LinkSealer {
  secrets: SecretBox;
  /** Patchbay's address for browsers. */
  baseUrl: string;
}

/** Links belong to no workspace: anyone with the link gets the file. */
const BINDING = ['', 'media_link', ''] as const;

const linkSchema = z.strictObject({
  key: z.string(),
  filename: z.string(),
  mimeType: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
});

export function sealLink({ secrets, baseUrl }: LinkSealer, file: StoredFile, expiresAt: Date): string {
  const { key, filename, mimeType } = file;
  const said = JSON.stringify({ key, filename, mimeType, expiresAt: expiresAt.getTime() });
  return `${baseUrl}/files/${secrets.seal(said, BINDING)}/${encodeURIComponent(filename)}`;
}

/** The file of a link; `invalid`: the link is not from this installation. */
export function openLink(
  secrets: SecretBox,
  token: string,
  now: Date,
): { state: 'valid'; file: StoredFile } | { state: 'invalid' } | { state: 'expired' } {
  const said = read(secrets, token);
  if (!said) return { state: 'invalid' };
  const { expiresAt, ...file } = said;
  return expiresAt <= now.getTime() ? { state: 'expired' } : { state: 'valid', file };
}

function read(secrets: SecretBox, token: string): z.output<typeof linkSchema> | undefined {
  try {
    return linkSchema.parse(JSON.parse(secrets.open(token, BINDING)));
  } catch {
    return undefined;
  }
}

// The list of contents of a backup's folder.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const FILE = 'backup.json';

const filesSchema = z.strictObject({
  count: z.number(),
  bytes: z.number(),
  /** SHA-256 of the list of checksums. */
  sha256: z.string(),
});

export type BackupFiles = z.output<typeof filesSchema>;

const manifestSchema = z.strictObject({
  /** Format of this folder. */
  format: z.literal(1),
  /** Patchbay's version that made it. */
  version: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
  /** The newest migration that had been applied to its tables (`when`). */
  lastMigration: z.number(),
  tables: z.array(
    z.strictObject({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      /** Of the file, in hexadecimal. */
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.strictObject({ schema: z.string(), name: z.string(), lastValue: z.string() })),
  /** What customers sent; left out where it is stored elsewhere, and by 0.1.0. */
  files: filesSchema.optional(),
  /** Encrypted values of the tables, which prove the keys before anything is restored; left out by 0.1.0. */
  sealed: z
    .array(
      z.strictObject({
        column: z.string(),
        sealed: z.string(),
        binding: z.tuple([z.string(), z.string(), z.string()]).readonly(),
      }),
    )
    .optional(),
});

export type BackupManifest = z.output<typeof manifestSchema>;

/** A folder that is no complete backup, or one that cannot be used here. Its message says why. */
export class BackupError extends Error {}

/** Written last: a folder without it is no backup. */
export function writeManifest(folder: string, manifest: BackupManifest): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
}

/** @throws BackupError when there is none, or one of another shape */
export function readManifest(folder: string): BackupManifest {
  const read = manifestSchema.safeParse(parse(readText(folder)));
  if (read.success) return read.data;
  throw new BackupError(
    `${join(folder, FILE)} cannot be read. It was changed, or a newer version of Patchbay made it.`,
  );
}

/** Identifies a backup. @throws BackupError when there is no list of contents */
export const fingerprintOf = (folder: string): string =>
  createHash('sha256').update(readText(folder)).digest('hex');

function readText(folder: string): string {
  try {
    return readFileSync(join(folder, FILE), 'utf8');
  } catch (cause) {
    throw new BackupError(`${folder} is no complete backup: ${FILE} is missing in it.`, { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

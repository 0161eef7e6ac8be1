// The files of a backup that are no rows: what customers sent, in a folder beside the tables, with a list of checksums that
// `sha256sum -c media.sha256` reads, too.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupError, type BackupFiles } from './manifest.ts';

export const FILES_FOLDER = 'media';
const LIST = `${FILES_FOLDER}.sha256`;
/** Suffix of a file that is still being written. */
const UNFINISHED = '.part';

/**
 * Copies all files of a folder into a backup. Call it after the tables were read, so that each file they mention is in the
 * backup.
 * @param from need not exist. Files that are removed during copying are left out
 */
export async function copyFilesInto(backupFolder: string, from: string): Promise<BackupFiles> {
  const lines: string[] = [];
  let bytes = 0;
  for (const path of await listFiles(from)) {
    const copied = await copyFile(join(from, path), join(backupFolder, FILES_FOLDER, path)).catch(
      unlessAbsent,
    );
    if (!copied) continue;
    lines.push(`${copied.sha256}  ${FILES_FOLDER}/${path}\n`);
    bytes += copied.bytes;
  }
  const list = lines.join('');
  writeFileSync(join(backupFolder, LIST), list, { mode: 0o600, flush: true });
  return { count: lines.length, bytes, sha256: sha256Of(list) };
}

/** @throws BackupError when a file of the backup is missing, or was changed */
export async function checkFiles(backupFolder: string, { sha256 }: BackupFiles): Promise<void> {
  for (const { path, sha256: expected } of readList(backupFolder, sha256)) {
    const found = await copyFile(join(backupFolder, path), null).catch(unlessAbsent);
    if (found?.sha256 === expected) continue;
    const what = found ? 'was changed since the backup was made' : 'is missing';
    throw new BackupError(`${join(backupFolder, path)} ${what}: use another copy of the backup.`);
  }
}

/** Copies the files of a backup back. Other files in the folder stay. */
export async function copyFilesBack(
  backupFolder: string,
  { sha256 }: BackupFiles,
  into: string,
): Promise<void> {
  for (const { path } of readList(backupFolder, sha256))
    await copyFile(join(backupFolder, path), join(into, relative(FILES_FOLDER, path)));
}

function readList(backupFolder: string, sha256: string): { sha256: string; path: string }[] {
  const path = join(backupFolder, LIST);
  let list: string;
  try {
    list = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new BackupError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (sha256Of(list) !== sha256)
    throw new BackupError(`${path} was changed: use another copy of the backup.`);
  return [...list.matchAll(/^(\w{64}) {2}(.+)$/gm)].map(([, sum = '', name = '']) => ({
    sha256: sum,
    path: name,
  }));
}

/** Relative paths, in order. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(unlessAbsent);
  return (entries ?? [])
    .filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** @param to null: it is read only */
async function copyFile(from: string, to: string | null): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, to === null ? undefined : chunk);
    },
  });
  if (to === null) await pipeline(createReadStream(from), counted.resume());
  else {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const part = `${to}${UNFINISHED}`;
    try {
      await pipeline(createReadStream(from), counted, createWriteStream(part, { mode: 0o600, flush: true }));
      await rename(part, to);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }
  return { sha256: hash.digest('hex'), bytes };
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

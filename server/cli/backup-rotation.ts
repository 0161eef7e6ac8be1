// Backups of a schedule, in one folder: each in a folder named for when it was begun. Nothing else in that folder is touched.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BackupError, readManifest } from '#lib/core/db/backup/manifest.ts';

const NAME = /^patchbay-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
/** Suffix of a backup that is being written, or was interrupted. */
const UNFINISHED = '.part';
const ABANDONED_MS = 86_400_000;

/**
 * Makes a backup in a new folder, which gets its name when it is complete, and then deletes all but the newest.
 * @param make writes a backup into a folder
 * @param keep how many backups remain, with the new one
 */
export async function rotateBackups(
  folder: string,
  { keep, now = new Date() }: { keep: number; now?: Date },
  make: (target: string) => Promise<void>,
): Promise<void> {
  const place = resolve(folder);
  const target = join(place, `patchbay-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`);
  if (existsSync(target))
    throw new BackupError(`${target} is there already: it was made in the same second.`);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  await make(`${target}${UNFINISHED}`);
  renameSync(`${target}${UNFINISHED}`, target);
  for (const name of listBackups(place).slice(keep)) rmSync(join(place, name), { recursive: true });
  for (const name of listAbandoned(place, now)) rmSync(join(place, name), { recursive: true });
}

/** How long to wait until the next backup is due, which is at once where there is none. */
export function findPauseMs(folder: string, everyHours: number, now = new Date()): number {
  const place = resolve(folder);
  const [newest] = existsSync(place) ? listBackups(place) : [];
  if (newest === undefined) return 0;
  const begun = newest.replace(/^patchbay-/, '').replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:');
  return Math.max(0, Date.parse(begun) + everyHours * 3_600_000 - now.getTime());
}

/** Complete backups, newest first. */
const listBackups = (place: string): string[] =>
  readdirSync(place)
    .filter((name) => NAME.test(name) && isComplete(join(place, name)))
    .toSorted()
    .toReversed();

function isComplete(path: string): boolean {
  try {
    readManifest(path);
    return true;
  } catch (error) {
    if (error instanceof BackupError) return false;
    throw error;
  }
}

/** Those that were interrupted: nothing was written into them for a day. */
const listAbandoned = (place: string, now: Date): string[] =>
  readdirSync(place).filter(
    (name) =>
      name.endsWith(UNFINISHED) &&
      NAME.test(name.slice(0, -UNFINISHED.length)) &&
      now.getTime() - statSync(join(place, name)).mtimeMs > ABANDONED_MS,
  );

import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_DISK = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * A new folder for the databases of tests, in memory where 4 GiB of it are free: ext4 looks long for inodes after thousands of files
 * were deleted, so that cloning a database takes up to ten times the processor time there. Other accounts can enter it: a server
 * that root starts runs under another one.
 * @param name of what it is for; the folder's name begins with it
 */
export function createQuickFolder(name: string): string {
  const folder = mkdtempSync(join(hasMemoryDisk() ? MEMORY_DISK : tmpdir(), `patchbay-${name}-`));
  chmodSync(folder, 0o711);
  return folder;
}

function hasMemoryDisk(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= NEEDED_BYTES && freemem() >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

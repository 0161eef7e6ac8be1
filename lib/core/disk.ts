// Free disk space where files are stored: read by the health check, the health page and the alerts.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

const GIGABYTE = 1024 ** 3;

/** With less, Patchbay and a database beside it may soon be unable to write. */
export const LEAST_FREE_BYTES = 1 * GIGABYTE;

export interface DiskSpace {
  freeBytes: number;
  bytes: number;
}

/** Null: the folder does not exist on this machine. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, bytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Of the disk that a folder is on, or will be on once it is created. */
export const readDiskSpaceFor = async (folder: string): Promise<DiskSpace | null> =>
  (await readDiskSpace(folder)) ?? (dirname(folder) === folder ? null : readDiskSpaceFor(dirname(folder)));

/** In gigabytes, such as `1.5`. */
export const toGigabytes = (bytes: number): string => (bytes / GIGABYTE).toFixed(1);

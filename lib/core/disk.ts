// Free disk space where files are stored, and the size of the database: read by the health check, the health page and the alerts.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Queryable } from './db/client.ts';

export const GIGABYTE = 1024 ** 3;

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

/** From here on, PostgreSQL's own tools back up a database: 50 GB are an hour at 15 MB a second (docs/running/sizing.md). */
export const LARGE_DATABASE_GIGABYTES = 50;

/** In gigabytes, such as `1.5`. */
export const toGigabytes = (bytes: number): string => (bytes / GIGABYTE).toFixed(1);

/** Bytes of the whole database with its indexes, wherever its server is; those of its WAL are not in it. */
export async function readDatabaseBytes(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return rows[0]?.bytes ?? 0;
}

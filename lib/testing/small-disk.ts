import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  path: string;
  /** Fills it completely. */
  fill(): void;
  makeRoom(): void;
  unmount(): void;
}

const MEGABYTE = Buffer.alloc(1_000_000);

/** A disk in memory, mounted on an empty folder; requires root and the right to mount. */
export function mountSmallDisk(path: string, megabytes: number): SmallDisk | { impossible: string } {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0)
    return {
      impossible: `as no small disk can be mounted here: ${mounted.error?.message ?? mounted.stderr.trim()}`,
    };
  chmodSync(path, 0o711);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      const file = openSync(ballast, 'w');
      try {
        for (;;) writeSync(file, MEGABYTE);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    unmount: () => void spawnSync('umount', [path]),
  };
}

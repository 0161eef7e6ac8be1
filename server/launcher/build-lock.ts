import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from './processes.ts';

const POLL_MS = 200;
/** Builders are Node: another program may have got the process id of one that ended. */
const BUILDER = /node/i;

/**
 * Does work that one process at a time may do in this clone: two builds at once would write into the same folders. Waits while
 * another one works; one that was killed blocks no other.
 */
export async function withBuildLock(
  root: string,
  cancelled: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const file = join(root, 'node_modules', '.cache', 'patchbay-build.pid');
  mkdirSync(join(file, '..'), { recursive: true });
  while (!take(file)) await wait(POLL_MS, undefined, { signal: cancelled });
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    const opened = openSync(file, 'wx');
    writeSync(opened, String(process.pid));
    closeSync(opened);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

/** An empty file is one that was made just now. */
function isHeld(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid === 0 || isRunning(pid, BUILDER);
  } catch {
    return false;
  }
}

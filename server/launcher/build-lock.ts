import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from './processes.ts';

const POLL_MS = 200;
/** Builders are Node processes: another program may have the process id of an ended one. */
const BUILDER = /node/i;

/**
 * Runs work that only one process at a time may do in this clone: concurrent builds would write into the same folders. Waits
 * for another process; a killed one does not block.
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

/** An empty file was created just now. */
function isHeld(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid === 0 || isRunning(pid, BUILDER);
  } catch {
    return false;
  }
}

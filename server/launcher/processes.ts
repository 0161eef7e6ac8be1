// Questions about processes that this one did not start, or no longer owns.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 50;

/** Whether the process runs (a zombie does not) and its command line mentions `mention`: process ids are reused. */
export function isRunning(pid: number, mention: string | RegExp): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const found = commandLine(pid);
  return typeof mention === 'string' ? found.includes(mention) : mention.test(found);
}

/** Stops the process, waits, and kills it after the timeout. */
export async function endProcess(pid: number, mention: string | RegExp, graceMs: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', 5_000],
  ] as const) {
    const deadline = Date.now() + patienceMs;
    if (isRunning(pid, mention)) process.kill(pid, signal);
    while (isRunning(pid, mention) && Date.now() < deadline) await wait(POLL_MS);
  }
}

/** Empty for an ended process, and on Linux for a zombie. */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

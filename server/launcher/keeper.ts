import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends silently when it is dismissed, and executes the program when the pipe from the launcher breaks. */
const WAIT_FOR_LAUNCHER = 'read -r dismissed || exec "$@"';

export interface Keeper {
  dismiss(): Promise<void>;
}

/**
 * Ensures that all processes end even when the launcher is killed and not restarted. Web and worker processes detect it
 * automatically; the database does not. Until then it is a waiting shell, half a megabyte in size. @param program executed by
 * Node then: server/end-abandoned.ts @param databaseFolder null: an external database, which is not stopped.
 */
export function startKeeper(
  program: readonly string[],
  dataFolder: string,
  databaseFolder: string | null,
): Keeper {
  const command = [process.execPath, ...program, dataFolder, ...(databaseFolder ? [databaseFolder] : [])];
  let dismissed = false;
  let child: ChildProcess;
  const start = (): void => {
    child = spawn('/bin/sh', ['-c', WAIT_FOR_LAUNCHER, 'patchbay-keeper', ...command], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    child.stdin?.on('error', () => undefined);
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (!dismissed) start();
    });
  };
  start();
  return {
    async dismiss() {
      dismissed = true;
      if (child.pid === undefined) return;
      const ended = once(child, 'exit');
      child.stdin?.end('\n');
      await ended;
    },
  };
}

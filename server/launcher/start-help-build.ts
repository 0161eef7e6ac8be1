import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isFresh } from './sources.mjs';

/**
 * Makes the help in a process of its own where it is stale: Patchbay runs already, and `/help` says until then that it is being
 * built. What goes wrong is printed; the rest runs on.
 * @returns null: it is fresh
 */
export function startHelpBuild(root: string): { stop(): Promise<void> } | null {
  if (isFresh(root, 'help')) return null;
  const child = spawn(process.execPath, [join(root, 'server', 'launcher', 'make-help.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.on('error', () => undefined);
  const ended = once(child, 'close').catch(() => undefined);
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

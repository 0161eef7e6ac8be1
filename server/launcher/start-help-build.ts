import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isFresh } from './sources.mjs';

/**
 * Builds the help in a separate process where it is outdated: Patchbay already runs, and `/help` shows that it is being built.
 * Errors are printed and have no further effect. @returns null: it is up to date
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

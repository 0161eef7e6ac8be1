import { type ChildProcess, fork } from 'node:child_process';
import { basename } from 'node:path';
import { isFresh } from '../../server/launcher/sources.mjs';

const root = new URL('../..', import.meta.url).pathname;
let isBundled: boolean | undefined;

export interface StartedProcess {
  child: ChildProcess;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
}

/** Starting a bundle takes a quarter of the processor time; it is what operators run. Stale ones are left alone. */
function findFile(sources: string): string {
  isBundled ??= isFresh(root, 'programs');
  return isBundled ? `.programs/${basename(sources, '.ts')}.mjs` : sources;
}

/**
 * Waits until a program of ours says over its channel that it is ready.
 * @throws Error with the program's name when it ends before
 */
export async function untilReady(child: ChildProcess, name: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code} before it was ready.`)));
    child.on('message', (message) => {
      if ((message as { type?: string }).type === 'ready') resolve();
    });
  });
}

/**
 * Starts a program of the product under these settings only (the test runner's own environment is kept out)
 * and waits until it says that it is ready. Its output goes to that of the test, or to `onOutput`.
 */
export async function startProcess(
  file: string,
  settings: Record<string, string>,
  { onOutput }: { onOutput?: (text: string) => void } = {},
): Promise<StartedProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, HOME, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...settings };
  const output = onOutput ? 'pipe' : 'inherit';
  const child = fork(findFile(file), {
    cwd: root,
    env,
    stdio: ['ignore', output, 'inherit', 'ipc'],
    execArgv: [],
  });
  if (onOutput) child.stdout?.setEncoding('utf8').on('data', onOutput);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await untilReady(child, file);
  return {
    child,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { isFresh } from '../../server/launcher/sources.mjs';

const root = new URL('../..', import.meta.url).pathname;
let isBundled: boolean | undefined;

export interface StartedProcess {
  child: ChildProcess;
  pid: number;
  /** Whether it still is the one that was started. */
  isAlive: () => boolean;
  /** Asks it to end and waits until it has. */
  stop: () => Promise<void>;
  /** Ends it without asking, and waits until it has ended. */
  kill: () => Promise<void>;
}

export interface StartOptions {
  /** Gets what it prints on standard output, which else is that of the test. */
  onOutput?: ((text: string) => void) | undefined;
  /** Gets the process when it exists, which is before it is ready. */
  onSpawn?: ((child: ChildProcess) => void) | undefined;
}

/**
 * The bundle of a program, or its sources where the bundle is stale: starting it takes a quarter of the processor time, and it is
 * what operators run.
 */
export function findFile(sources: string): string {
  isBundled ??= isFresh(root, 'programs');
  return isBundled && sources.startsWith('server/') ? `.programs/${basename(sources, '.ts')}.mjs` : sources;
}

/**
 * Waits until a program of ours says over its channel that it is ready.
 * @throws Error with the program's name when it ends before
 */
export async function untilReady(child: ChildProcess, name: string): Promise<StartedProcess> {
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code} before it was ready.`)));
    child.on('message', (message) => {
      if ((message as { type?: string }).type === 'ready') resolve();
    });
  });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!isAlive()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return { child, pid: child.pid ?? 0, isAlive, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/**
 * Starts a program of the product under these settings only (those of whoever calls are kept out) and waits until it says
 * that it is ready. It ends when the process that started it does.
 */
export async function startProcess(
  file: string,
  settings: Record<string, string>,
  { onOutput, onSpawn }: StartOptions = {},
): Promise<StartedProcess> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  const env: NodeJS.ProcessEnv = {
    PATH,
    HOME,
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const output = onOutput ? 'pipe' : 'inherit';
  const child = fork(findFile(file), {
    cwd: root,
    env,
    stdio: ['ignore', output, 'inherit', 'ipc'],
    execArgv: [],
  });
  onSpawn?.(child);
  if (onOutput) child.stdout?.setEncoding('utf8').on('data', onOutput);
  return untilReady(child, file);
}

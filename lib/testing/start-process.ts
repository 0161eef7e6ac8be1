import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { isFresh } from '../../server/launcher/sources.mjs';

const root = new URL('../..', import.meta.url).pathname;
let isBundled: boolean | undefined;

export interface StartedProcess {
  child: ChildProcess;
  pid: number;
  /** Whether it is still running. */
  isAlive: () => boolean;
  /** Stops it and waits for its exit. */
  stop: () => Promise<void>;
  /** Kills it and waits for its exit. */
  kill: () => Promise<void>;
}

export interface StartOptions {
  /** Receives its standard output, which otherwise goes to that of the test. */
  onOutput?: ((text: string) => void) | undefined;
  /** Receives the process as soon as it exists, before it is ready. */
  onSpawn?: ((child: ChildProcess) => void) | undefined;
}

/**
 * The bundle of a program, or its sources where the bundle is stale: the bundle starts with a quarter of the processor time,
 * and is what operators run.
 */
export function findFile(sources: string): string {
  isBundled ??= isFresh(root, 'programs');
  return isBundled && sources.startsWith('server/') ? `.programs/${basename(sources, '.ts')}.mjs` : sources;
}

/**
 * Waits until a program reports over its channel that it is ready. @throws Error with the program's name when it exits before
 * that
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
 * Starts a program of the product with only these settings (the caller's environment is not inherited) and waits until it is
 * ready. It ends with the process that started it.
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

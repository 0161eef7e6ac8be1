import { type ChildProcess, fork } from 'node:child_process';
import { untilReady } from '#lib/testing/start-process.ts';
import { endWithUs, hasEnded } from './end-with-us.ts';

const root = new URL('..', import.meta.url).pathname;

export interface Child {
  pid: number;
  stop(): Promise<void>;
}

/** Starts a program of ours on this Node and waits until it says that it is ready. */
export async function startChild(
  file: string,
  environment: Record<string, string | undefined>,
): Promise<Child> {
  const child = fork(file, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const pid = child.pid ?? 0;
  endWithUs(pid, 'SIGTERM');
  child.once('exit', () => hasEnded(pid));
  await untilReady(child, file);
  return { pid, stop: () => stopChild(child) };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

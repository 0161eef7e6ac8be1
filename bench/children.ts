import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
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
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with code ${code} before it was ready.`)));
    child.on('message', (message) => {
      if ((message as { type?: string }).type === 'ready') resolve();
    });
  });
  return { pid, stop: () => stopChild(child) };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

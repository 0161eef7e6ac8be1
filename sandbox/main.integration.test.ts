import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';

const MAIN = new URL('./main.ts', import.meta.url).pathname;
const env = { ...process.env, SANDBOX_PORT: '0' };

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function readUrl(child: ChildProcess): Promise<string> {
  children.push(child);
  if (!child.stdout) throw new Error('no standard output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Sandbox listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The sandbox ended without a line.');
}

test('prints its URL once it listens, and SIGTERM ends it cleanly though a phone page is open', async () => {
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await readUrl(child);
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
  const events = await fetch(`${url}/phone-events`);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect(events.text()).rejects.toThrow();
});

test('ends when the launcher behind its IPC channel is gone', async () => {
  const child = fork(MAIN, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const message = once(child, 'message');
  const url = await readUrl(child);
  expect((await message)[0]).toEqual({ url });
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a setting that cannot be used is told on standard error with exit code 1', async () => {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...env, SANDBOX_PORT: 'x' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(words).toContain('SANDBOX_PORT');
});

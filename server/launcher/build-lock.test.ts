import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withBuildLock } from './build-lock.ts';

const NEVER = new AbortController().signal;
/** Above every process id of a system. */
const NO_PROCESS = 2 ** 30;

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'patchbay-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

function leaveLock(root: string, pid: number): void {
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  writeFileSync(join(root, 'node_modules', '.cache', 'patchbay-build.pid'), String(pid));
}

test('one works at a time, and the next one after it, also when it failed', async () => {
  const root = makeRoot();
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
    if (name === 'a') throw new Error('a failed');
  };
  const both = ['a', 'b'].map((name) => withBuildLock(root, NEVER, work(name)));
  const ends = await Promise.allSettled(both);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('who was killed while it worked holds nobody up', async () => {
  const root = makeRoot();
  leaveLock(root, NO_PROCESS);
  let isDone = false;
  await withBuildLock(root, NEVER, async () => void (isDone = true));
  expect(isDone).toBe(true);
});

test('waiting ends when the start is cancelled', async () => {
  const root = makeRoot();
  leaveLock(root, process.pid);
  const cancel = new AbortController();
  const waiting = withBuildLock(root, cancel.signal, async () => undefined);
  cancel.abort();
  await expect(waiting).rejects.toThrow('aborted');
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isRunning } from './processes.ts';
import { supervise, type SupervisedProcess } from './supervise.ts';

let folder: string;
let supervised: SupervisedProcess | null = null;
const lines: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-supervise-'));
  lines.length = 0;
});
afterEach(async () => {
  await supervised?.stop(0);
  supervised = null;
  rmSync(folder, { recursive: true, force: true });
});

function run(code: string): SupervisedProcess {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, code);
  const environment = () => ({ ...process.env, FOLDER: folder });
  supervised = supervise(
    { name: 'fixture', nodeArguments: [program], environment },
    (line) => lines.push(line),
    () => undefined,
  );
  return supervised;
}

const READY = `process.send({ type: 'ready' }); setInterval(() => {}, 1000);`;

test('a process that is killed is started again', async () => {
  const child = run(READY);
  await child.ready;
  const first = child.pid!;
  process.kill(first, 'SIGKILL');
  await vi.waitFor(() => expect(child.pid ?? first).not.toBe(first), 5000);
  expect(lines).toEqual(["Patchbay's fixture process ended (SIGKILL): restarting it"]);
});

test('a process that was ready is started again at once, however often it is killed', async () => {
  const child = run(`import { writeFileSync } from 'node:fs';
    process.send({ type: 'ready' }, () => writeFileSync(process.env.FOLDER + '/ready', String(process.pid)));
    setInterval(() => {}, 1000);`);
  for (let kills = 0; kills < 8; kills += 1) {
    await vi.waitFor(
      () => expect(readFileSync(join(folder, 'ready'), 'utf8')).toBe(String(child.pid ?? 'none')),
      3000,
    );
    process.kill(child.pid!, 'SIGKILL');
    await vi.waitFor(() => expect(lines).toHaveLength(kills + 1));
  }
});

test('a process that listened but was not ready yet is started again at once, too', async () => {
  const child = run(`import { existsSync, writeFileSync } from 'node:fs';
    const done = () => writeFileSync(process.env.FOLDER + '/up', String(process.pid));
    process.send({ type: existsSync(process.env.FOLDER + '/up') ? 'listening' : 'ready' }, done);
    setInterval(() => {}, 1000);`);
  for (let kills = 0; kills < 8; kills += 1) {
    await vi.waitFor(
      () => expect(readFileSync(join(folder, 'up'), 'utf8')).toBe(String(child.pid ?? 'none')),
      3000,
    );
    process.kill(child.pid!, 'SIGKILL');
    await vi.waitFor(() => expect(lines).toHaveLength(kills + 1));
  }
});

test('a process that ends before it is ready, later on, is given more and more time', async () => {
  const child = run(`import { existsSync, writeFileSync } from 'node:fs';
    if (existsSync(process.env.FOLDER + '/down')) process.exit(7);
    ${READY}`);
  await child.ready;
  writeFileSync(join(folder, 'down'), '');
  const startedAt = Date.now();
  process.kill(child.pid!, 'SIGKILL');
  await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(5), 5000);
  // 100, 200 and 400 ms after the three ends that followed the kill.
  expect(Date.now() - startedAt).toBeGreaterThan(700);
});

test('a restart that was asked for does not wait for the end of a pause', async () => {
  const child = run(`import { existsSync } from 'node:fs';
    if (existsSync(process.env.FOLDER + '/down')) process.exit(7);
    ${READY}`);
  await child.ready;
  writeFileSync(join(folder, 'down'), '');
  process.kill(child.pid!, 'SIGKILL');
  await vi.waitFor(() => expect(lines).toHaveLength(6), 20_000);
  await vi.waitFor(() => expect(child.pid).toBeNull());
  rmSync(join(folder, 'down'));
  const askedAt = Date.now();
  await child.restart(1000);
  await vi.waitFor(() => expect(child.pid).not.toBeNull());
  // The pause takes 1.6 seconds.
  expect(Date.now() - askedAt).toBeLessThan(1500);
});

test('a process that never gets ready ends the start, with the reason', async () => {
  const child = run(`process.exit(7);`);
  await expect(child.ready).rejects.toThrow(/fixture process failed to start \(exit code 7\)/);
});

test('stopping asks first: the process may finish what it does', async () => {
  const child = run(`import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => setTimeout(() => { writeFileSync(process.env.FOLDER + '/done', 'yes'); process.exit(0); }, 50));
    ${READY}`);
  await child.ready;
  await child.stop(10_000);
  expect(readFileSync(join(folder, 'done'), 'utf8')).toBe('yes');
  expect(child.pid).toBeNull();
});

test('a process that does not listen is ended by force after its grace, and not started again', async () => {
  const child = run(`process.on('SIGTERM', () => {}); ${READY}`);
  await child.ready;
  const pid = child.pid!;
  await child.stop(50);
  expect(isRunning(pid, folder)).toBe(false);
  expect(lines).toEqual([]);
});

test('a restart that was asked for reads the environment again and says nothing', async () => {
  const child = run(READY);
  await child.ready;
  const first = child.pid!;
  await child.restart(1000);
  await vi.waitFor(() => expect(child.pid ?? first).not.toBe(first), 5000);
  expect(lines).toEqual([]);
});

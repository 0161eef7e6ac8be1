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
  expect(lines).toEqual(["Patchbay's fixture process ended (SIGKILL): starting it again"]);
});

test('a process that never gets ready ends the start, with the reason', async () => {
  const child = run(`process.exit(7);`);
  await expect(child.ready).rejects.toThrow(/fixture process does not start \(exit code 7\)/);
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

test('a restart that was asked for reads the environment anew and says nothing', async () => {
  const child = run(READY);
  await child.ready;
  const first = child.pid!;
  await child.restart(1000);
  await vi.waitFor(() => expect(child.pid ?? first).not.toBe(first), 5000);
  expect(lines).toEqual([]);
});

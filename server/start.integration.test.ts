// The whole product, started like `npm start`, and killed in every way.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listProcesses, sumMemoryAlone } from '#lib/testing/process-list.ts';
import { mountSmallDisk } from '#lib/testing/small-disk.ts';
import { isRunning } from './launcher/processes.ts';
import { Installation, type Start } from './testing/installation.ts';

const UP_MS = 180_000;
const folder = mkdtempSync(join(tmpdir(), 'patchbay-start-'));
/** Where the account may mount one, the product's data is on a disk that can be filled. */
const disk = mountSmallDisk(folder, 500);
const starts: Start[] = [];
let port: number;

beforeAll(async () => {
  chmodSync(folder, 0o711);
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, done));
  port = (server.address() as AddressInfo).port;
  await new Promise((done) => server.close(done));
});
afterAll(async () => {
  for (const { bootstrap } of starts) bootstrap.kill('SIGTERM');
  await vi.waitFor(() => expect(productProcesses()).toEqual([]), UP_MS);
  if (!('impossible' in disk)) disk.unmount();
  rmSync(folder, { recursive: true, force: true });
});

const installation = (): Installation =>
  new Installation(folder, {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: '0',
    DATABASE_URL: '',
    BASE_URL: '',
  });

function start(environment: Record<string, string> = {}): Start {
  const run = installation().start(environment);
  starts.push(run);
  return run;
}

const readRunning = () => installation().readRunning();
const databasePid = () => installation().databasePid();
const productProcesses = () => installation().runningPids();

const url = (path: string) => `http://localhost:${port}${path}`;

/** Waits until the product is ready: database, migrations and workers are fine. */
async function untilUp(): Promise<void> {
  await vi.waitFor(async () => expect((await fetch(url('/readyz'))).status).toBe(200), {
    timeout: UP_MS,
    interval: 100,
  });
}

async function untilReady(run: Start): Promise<void> {
  await vi.waitFor(
    () => expect(run.output()).toContain(`Patchbay is ready at http://localhost:${port}\n`),
    UP_MS,
  );
  await untilUp();
}

function pidOf(program: string): number {
  const [pid] = installation().pidsOf(program);
  if (pid === undefined) throw new Error(`${program} does not run`);
  return pid;
}

/** So that what is measured compiles its code, whether or not `npm test` or an earlier start has left it compiled. */
const UNCOMPILED = { NODE_DISABLE_COMPILE_CACHE: '1' };
const LOADING = `
  require(${JSON.stringify(createRequire(import.meta.url).resolve('typescript'))});
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1e6);`;
/** Mean processor time of a Node that loads a large package. */
let secondsOfLoading: number;

/**
 * Has Node load a large package until the product is up, which is mostly the same work. At the same time, because on busy cores
 * the same work takes twice the processor time.
 */
async function measureLoading(isUp: Promise<void>): Promise<number> {
  const env = { ...process.env, ...UNCOMPILED };
  const seconds: number[] = [];
  let isLeft = true;
  const load = async (): Promise<void> => {
    while (isLeft) {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', LOADING], { env });
      seconds.push(Number(stdout));
    }
  };
  await Promise.all([load(), isUp.finally(() => (isLeft = false))]);
  return seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
}

test('comes up from an empty data folder, prints one URL, and a second start names it', async () => {
  const run = start(UNCOMPILED);
  secondsOfLoading = await measureLoading(untilReady(run));
  expect(run.output().match(/https?:\/\//g)).toHaveLength(1);
  expect(run.output()).not.toContain('Setup code');
  const second = start();
  expect(await second.exited).toBe(0);
  expect(second.output()).toContain(`Patchbay already runs at http://localhost:${port}`);
});

const MEGABYTE = 1024 * 1024;
/** It was 10 to 12, on cores that others kept more or less busy; a second more is 5. */
const MOST_LOADINGS = 14;

test.runIf(process.platform === 'linux')(
  'takes less than 400 MB idle, the database included, and little processor time to start',
  async () => {
    const family = listProcesses().filter(
      ({ pid, ancestors, command }) =>
        pid === starts[0]?.bootstrap.pid ||
        ancestors.includes(starts[0]?.bootstrap.pid ?? 0) ||
        ancestors.includes(databasePid()) ||
        pid === databasePid() ||
        command.includes(folder),
    );
    const programs = family.filter(({ command }) => command.includes('.programs'));
    expect(programs.length).toBeGreaterThanOrEqual(5);
    const cpuSeconds = family.reduce((sum, each) => sum + each.cpuSeconds, 0);
    expect(cpuSeconds / secondsOfLoading).toBeLessThan(MOST_LOADINGS);
    const starter = family.find(({ pid }) => pid === starts[0]?.bootstrap.pid);
    expect((starter?.proportionalBytes ?? Infinity) / MEGABYTE).toBeLessThan(3);
    // After the start, web and worker give memory back. npm itself, which the test leaves out, takes 20 to 50 MB of the 400.
    const pids = family.map(({ pid }) => pid);
    await vi.waitFor(() => expect(sumMemoryAlone(pids) / MEGABYTE).toBeLessThan(350), {
      timeout: UP_MS,
      interval: 1000,
    });
  },
);

test('an update of its state that fails does not end the launcher, which says so once', async () => {
  const { pid } = readRunning();
  // As on a full disk: its files cannot be written.
  const inTheWay = join(folder, `running.json.${pid}`);
  mkdirSync(inTheWay);
  const [run] = starts;
  const killWorker = async (kills: number): Promise<void> => {
    // Not the state file, which cannot be written.
    const worker = await vi.waitFor(() => {
      const found = listProcesses().find(
        ({ command, ancestors }) => ancestors.includes(pid) && command.includes('worker.mjs'),
      );
      if (!found) throw new Error('No worker runs.');
      return found.pid;
    }, UP_MS);
    process.kill(worker, 'SIGKILL');
    await vi.waitFor(
      () => expect(run?.output().match(/worker process ended \(SIGKILL\)/g)).toHaveLength(kills),
      UP_MS,
    );
    await untilUp();
  };
  await killWorker(1);
  await killWorker(2);
  expect(run?.output().match(/Patchbay continues, but the disk/g)).toHaveLength(1);
  rmSync(inTheWay, { recursive: true });
  await killWorker(3);
  await vi.waitFor(() => expect(isRunning(pidOf('worker.mjs'), 'worker.mjs')).toBe(true), UP_MS);
  expect(readRunning().pid).toBe(pid);
});

test('a full disk while a child dies ends neither the launcher nor its other programs', async ({ skip }) => {
  if ('impossible' in disk) return skip(disk.impossible);
  const { pid } = readRunning();
  const [run] = starts;
  const said = () => run?.output().match(/Patchbay continues, but the disk/g)?.length ?? 0;
  const before = said();
  disk.fill();
  try {
    process.kill(pidOf('worker.mjs'), 'SIGKILL');
    await vi.waitFor(() => expect(said()).toBe(before + 1), UP_MS);
    expect(isRunning(pid, 'start.mjs')).toBe(true);
  } finally {
    disk.makeRoom();
  }
  await untilUp();
  expect(readRunning().pid).toBe(pid);
});

test.each(['web.mjs', 'worker.mjs', 'main.mjs'])('comes up again after kill -9 of %s', async (program) => {
  const before = await vi.waitFor(() => pidOf(program), UP_MS);
  process.kill(before, 'SIGKILL');
  await vi.waitFor(() => expect(pidOf(program)).not.toBe(before), UP_MS);
  await untilUp();
});

test('answers webhooks soon after each kill -9 of web, however many came before', async () => {
  for (let kills = 0; kills < 8; kills += 1) {
    process.kill(pidOf('web.mjs'), 'SIGKILL');
    const killedAt = Date.now();
    // An unknown token: the door responds once the process listens and has reached the database.
    const post = () => fetch(url('/webhook/none'), { method: 'POST', body: '{}' });
    await vi.waitFor(async () => expect((await post()).status).toBe(404), { timeout: UP_MS, interval: 20 });
    // A second on an idle machine; a delay that doubled with each kill would reach two minutes.
    expect(Date.now() - killedAt).toBeLessThan(20_000);
  }
});

test('comes up again after kill -9 of the database', async () => {
  const before = databasePid();
  process.kill(before, 'SIGKILL');
  await vi.waitFor(() => expect(databasePid()).not.toBe(before), UP_MS);
  await untilUp();
});

test('comes up again after kill -9 of the launcher, with the same database', async () => {
  const { pid } = readRunning();
  const database = databasePid();
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(readRunning().pid).not.toBe(pid), UP_MS);
  await untilUp();
  expect(databasePid()).toBe(database);
});

test('continues without its terminal, and the next start takes its place', async () => {
  starts[0]?.bootstrap.kill('SIGKILL');
  await untilUp();
  await vi.waitFor(() => expect(readRunning()).toMatchObject({ orphaned: true }), UP_MS);
  const before = readRunning().pid;
  const next = start();
  await untilReady(next);
  expect(readRunning().pid).not.toBe(before);
});

test('ends in order when the launcher and what started it are killed: sandbox after web and worker, database last', async () => {
  const [web, worker, sandbox] = ['web.mjs', 'worker.mjs', 'main.mjs'].map(pidOf);
  const database = databasePid();
  const launcher = readRunning().pid;
  for (const { bootstrap } of starts) bootstrap.kill('SIGKILL');
  process.kill(launcher, 'SIGKILL');
  const apps = () => isRunning(web ?? 0, 'web.mjs') || isRunning(worker ?? 0, 'worker.mjs');
  await vi.waitFor(
    () => {
      const isDatabaseUp = isRunning(database, 'postgres');
      const isSandboxUp = isRunning(sandbox ?? 0, 'main.mjs');
      const areAppsUp = apps();
      if (areAppsUp && !isSandboxUp) throw new Error('the sandbox ended before what calls it');
      expect([areAppsUp, isSandboxUp]).toEqual([false, false]);
      expect(isDatabaseUp).toBe(true);
    },
    { timeout: UP_MS, interval: 20 },
  );
  await vi.waitFor(() => expect(isRunning(database, 'postgres')).toBe(false), UP_MS);
  expect(readFileSync(join(folder, 'postgres.log'), 'utf8').trim().split('\n').at(-1)).toContain(
    'database system is shut down',
  );
  await untilReady(start());
});

test('starts again after kill -9 of everything at once', async () => {
  for (const { bootstrap } of starts) bootstrap.kill('SIGKILL');
  for (const pid of productProcesses()) process.kill(pid, 'SIGKILL');
  await untilReady(start());
});

test('Ctrl-C stops everything, the database last and cleanly', async () => {
  const run = starts.at(-1);
  if (!run) throw new Error('nothing was started');
  const { bootstrap, output, exited } = run;
  bootstrap.kill('SIGINT');
  expect(await exited).toBe(0);
  expect(output()).toMatch(/Stopping[\s\S]*Patchbay has stopped\n$/);
  expect(productProcesses()).toEqual([]);
  expect(readFileSync(join(folder, 'postgres.log'), 'utf8').trim().split('\n').at(-1)).toContain(
    'database system is shut down',
  );
});

test('what keeps it from starting once the database runs is said, and everything is stopped again', async () => {
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const taken = (other.address() as AddressInfo).port;
  try {
    const run = start({ SANDBOX_PORT: String(taken) });
    expect({ code: await run.exited, output: run.output() }).toEqual({
      code: 1,
      output: `Starting the database\nPort ${taken} is used by another program. Choose another with SANDBOX_PORT, for example: SANDBOX_PORT=${taken + 1} npm start\n`,
    });
  } finally {
    await new Promise((done) => other.close(done));
  }
  expect(productProcesses()).toEqual([]);
});

test('where others can reach it, it prints the code that the account of the owner takes', async () => {
  const run = start({ HOST: '0.0.0.0' });
  await untilReady(run);
  await vi.waitFor(() => expect(run.output()).toMatch(/Setup code for the owner's account: [0-9a-f-]{24}\n/));
  expect((await fetch(`http://127.0.0.2:${port}/healthz`)).status).toBe(200);
});

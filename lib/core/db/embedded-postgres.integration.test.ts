import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';

let folder: string;
let dataDirectory: string;
let running: EmbeddedPostgres | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-pg-'));
  chmodSync(folder, 0o711);
  dataDirectory = join(folder, 'postgres');
});
afterEach(async () => {
  await running?.stop();
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  running = await startEmbeddedPostgres({ dataDirectory });
  return running;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const setting = async (url: string, name: string) =>
  Object.values((await query(url, `SHOW ${name}`))[0] ?? {})[0];

test('starts empty, keeps what was written over a stop, and comes back under the same URL', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)');
  expect(await setting(first.url, 'fsync')).toBe('on');
  expect(await setting(first.url, 'synchronous_commit')).toBe('on');
  expect(await setting(first.url, 'server_encoding')).toBe('UTF8');
  expect(await setting(first.url, 'listen_addresses')).toBe('127.0.0.1');
  await first.stop();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
});

test('asks for a password that only the owner of the data folder can read', async () => {
  const { url, dataFolder } = await start();
  expect(statSync(join(dataFolder, 'patchbay-access.json')).mode & 0o777).toBe(0o600);
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
});

test('takes over a server that outlived its parent', async () => {
  const first = await start();
  const second = await start();
  expect(second).toMatchObject({ pid: first.pid, url: first.url, adopted: true });
});

test('kill -9 of the main process with clients busy: comes back at once with everything committed', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)');
  const sleeper = query(first.url, 'SELECT pg_sleep(60)').catch((error: unknown) => error);
  process.kill(first.pid, 'SIGKILL');
  await first.gone;
  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  expect(await sleeper).toBeInstanceOf(Error);
});

test('a pid file that names some other living process is no server', async () => {
  const first = await start();
  process.kill(first.pid, 'SIGKILL');
  await first.gone;
  const stranger = spawn('sleep', ['60']);
  await once(stranger, 'spawn');
  const pidFile = join(first.dataFolder, 'postmaster.pid');
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(String(first.pid), String(stranger.pid)));
  const second = await start();
  expect(second.adopted).toBe(false);
  stranger.kill();
  await once(stranger, 'exit');
});

test('moves to another port when its own was taken meanwhile', async () => {
  const first = await start();
  await first.stop();
  const taken: Server = createServer();
  await new Promise<void>((done) => taken.listen(Number(new URL(first.url).port), '127.0.0.1', done));
  const second = await start();
  expect(second.url).not.toBe(first.url);
  expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await new Promise((done) => taken.close(done));
});

test('a data folder of another major version is refused by name', async () => {
  const first = await start();
  await first.stop();
  running = null;
  writeFileSync(join(first.dataFolder, 'PG_VERSION'), '15\n');
  await expect(start()).rejects.toThrow(/was written by PostgreSQL 15; this version of Patchbay brings 18/);
});

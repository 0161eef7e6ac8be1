// vitest's global setup for everything that needs PostgreSQL: one temporary server with one migrated template.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { convertToPartitions } from '#lib/core/db/partitions/convert.ts';
import { choosePostgres } from './chosen-postgres.ts';
import { createQuickFolder } from './quick-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database to connect to while creating others. */
    databaseServerUrl: string;
    templateDatabase: string;
  }
}

interface TestServer {
  url: string;
  template: string;
  stop(): Promise<void>;
}

// Every vitest project runs the global setup in the same process, each with its own copy of this module.
const shared = globalThis as { patchbayTestServer?: { users: number; started: Promise<TestServer> } };

/**
 * Starts the server (or uses TEST_DATABASE_URL, whose role must be allowed to create databases), migrates the template,
 * with partitions where TEST_PARTITIONED is set, and passes both names to `createTestDatabase`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const entry = (shared.patchbayTestServer ??= { users: 0, started: startTestServer() });
  entry.users += 1;
  const server = await entry.started;
  project.provide('databaseServerUrl', server.url);
  project.provide('templateDatabase', server.template);
  return async () => {
    entry.users -= 1;
    if (entry.users > 0) return;
    delete shared.patchbayTestServer;
    await server.stop();
  };
}

async function startTestServer(): Promise<TestServer> {
  const external = process.env['TEST_DATABASE_URL'];
  const server = external ? { url: external, stop: async () => undefined } : await startThrowAwayServer();
  const template = `patchbay_template_${randomBytes(6).toString('hex')}`;
  await onServer(server.url, `CREATE DATABASE ${template}`);
  const templateUrl = new URL(server.url);
  templateUrl.pathname = template;
  await migrateDatabase(templateUrl.href, join(import.meta.dirname, '..', '..', 'drizzle'));
  if (process.env['TEST_PARTITIONED']) await convertToPartitions(templateUrl.href, { now: PARTITIONED_AT });
  return {
    url: server.url,
    template,
    async stop() {
      if (external) await onServer(server.url, `DROP DATABASE ${template} WITH (FORCE)`);
      await server.stop();
    },
  };
}

/** The months begin with February, in the middle of the histories of tests. */
const PARTITIONED_AT = new Date('2026-01-02');

async function startThrowAwayServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = createQuickFolder('test');
  const { binariesFolder, remove } = await choosePostgres();
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    durable: false,
    ...(binariesFolder !== undefined && { binariesFolder }),
  });
  const endReaper = startReaper(postgres.pid, folder);
  await quickenSignIn(postgres.url);
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      remove();
      rmSync(folder, { recursive: true, force: true });
      endReaper();
    },
  };
}

/**
 * Tests and their processes connect thousands of times: a password hash with 4,096 iterations would be a quarter of that cost.
 * PostgreSQL 15 has no such setting.
 */
async function quickenSignIn(url: string): Promise<void> {
  const { username, password } = new URL(url);
  const fewer = `SELECT set_config(name, '1', false) FROM pg_settings WHERE name = 'scram_iterations'`;
  await onServer(url, `${fewer}; ALTER ROLE ${username} PASSWORD '${password}'`);
}

/** Ends the server and removes its folder if Vitest itself is killed, which closes its end of the pipe. */
function startReaper(pid: number, folder: string): () => void {
  const script = 'read -r word; [ "$word" = done ] || { kill -QUIT "$1"; sleep 1; rm -rf "$2"; }';
  const reaper = spawn('/bin/sh', ['-c', script, 'sh', String(pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  reaper.unref();
  return () => reaper.stdin.end('done\n');
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

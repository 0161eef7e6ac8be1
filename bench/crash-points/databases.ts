// Databases for plays outside of the test runner: one throw-away server, and copies of one migrated database.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#lib/core/db/client.ts';
import { startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';

const CONNECTIONS = 300;
/** Processes connect anew in every play: checking a password 4,096 times over would be half of what a play costs. */
const QUICK_ROLE = `set scram_iterations = 1; create role plays superuser login password 'plays'`;

export interface Databases {
  /** A migrated, empty one. @returns its URL */
  make(): Promise<string>;
  end(): Promise<void>;
}

export async function startDatabases(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-crash-points-'));
  // Started by root the server runs as somebody else, who has to enter.
  chmodSync(folder, 0o711);
  const dataDirectory = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDirectory, durable: false, connections: CONNECTIONS });
  const admin = openDatabase(postgres.url, { maxConnections: 1, name: 'crash-points' });
  await admin.$client.query(QUICK_ROLE);
  const urlOf = (name: string): string =>
    Object.assign(new URL(postgres.url), { pathname: name, username: 'plays', password: 'plays' }).href;
  await admin.$client.query('create database template_of_plays');
  await migrateDatabase(urlOf('template_of_plays'), join(import.meta.dirname, '..', '..', 'drizzle'));
  let made = 0;
  return {
    async make() {
      made += 1;
      const name = `plays_${made}`;
      await admin.$client.query(`create database ${name} template template_of_plays`);
      return urlOf(name);
    },
    async end() {
      await admin.$client.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Databases for plays outside the test runner: one temporary server, and copies of one migrated database.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { startOwnDatabase } from '../own-database.ts';

const CONNECTIONS = 300;
const PATIENCE_MS = 10_000;
/** Processes open new connections in every play: password authentication would take a fifth of a play's time. */
const OPEN_ROLE = 'plays';

export interface Databases {
  /** A migrated, empty one. @returns its URL */
  make(): Promise<string>;
  end(): Promise<void>;
}

export async function startDatabases(): Promise<Databases> {
  const server = await startOwnDatabase('crash-points', {
    isDurable: false,
    isMigrated: false,
    connections: CONNECTIONS,
  });
  const admin = openDatabase(server.url, { maxConnections: 1, name: 'crash-points' });
  const urlOf = (name: string): string =>
    Object.assign(new URL(server.url), { pathname: name, username: OPEN_ROLE, password: '' }).href;
  await openDoor(urlOf('patchbay'), server.postgres.dataFolder, admin.$client);
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
      await server.stop();
    },
  };
}

/** Allows one role to connect without a password. @param url of that role; settles when it can connect */
async function openDoor(url: string, dataFolder: string, admin: Pool): Promise<void> {
  await admin.query(`create role ${OPEN_ROLE} superuser login`);
  const rules = join(dataFolder, 'pg_hba.conf');
  writeFileSync(rules, `host all ${OPEN_ROLE} 127.0.0.1/32 trust\n${readFileSync(rules, 'utf8')}`);
  await admin.query('select pg_reload_conf()');
  // Connections are refused until the server has reloaded its rules.
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    } finally {
      await client.end();
    }
  }
}

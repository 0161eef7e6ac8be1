// Databases for plays outside of the test runner: one throw-away server, and copies of one migrated database.
import { join } from 'node:path';
import { openDatabase } from '#lib/core/db/client.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { startOwnDatabase } from '../own-database.ts';

const CONNECTIONS = 300;
/** Processes connect anew in every play: checking a password 4,096 times over would be half of what a play costs. */
const QUICK_ROLE = `set scram_iterations = 1; create role plays superuser login password 'plays'`;

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
  await admin.$client.query(QUICK_ROLE);
  const urlOf = (name: string): string =>
    Object.assign(new URL(server.url), { pathname: name, username: 'plays', password: 'plays' }).href;
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

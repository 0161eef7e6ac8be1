import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations } from 'graphile-worker';
import { openDatabase } from './client.ts';

const MIGRATION_LOCK = 7_267_001;

/**
 * Brings a database to this version's tables (ours and the job queue's), one process at a time,
 * and gathers statistics so that the first queries are planned well.
 * @param migrationsFolder the folder `drizzle/` of the product.
 */
export async function migrateDatabase(url: string, migrationsFolder: string): Promise<void> {
  const database = openDatabase(url, { maxConnections: 2, name: 'patchbay-migrate' });
  const lock = await database.$client.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(database, { migrationsFolder });
    await runMigrations({ connectionString: url });
    await lock.query('analyze');
  } finally {
    lock.release(true);
    await database.$client.end();
  }
}

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';

const root = new URL('..', import.meta.url).pathname;

/**
 * Does something with a throw-away database that has the product's tables.
 * @param isDurable commits wait for the disk, as in production
 */
export async function withDatabase(
  { name, isDurable }: { name: string; isDurable: boolean },
  work: (url: string) => Promise<void>,
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), `patchbay-${name}-`));
  // Started by root the database runs as somebody else, who has to enter.
  chmodSync(data, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(data, 'postgres'), durable: isDurable });
  try {
    await migrateDatabase(postgres.url, join(root, 'drizzle'));
    await work(postgres.url);
  } finally {
    await postgres.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

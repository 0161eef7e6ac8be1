import { openDatabase } from '#lib/core/db/client.ts';
import { memorySettings } from '../../server/launcher/environments.ts';
import { startProduct } from '../../server/testing/product.ts';
import { startOwnDatabase } from '../own-database.ts';
import { seed } from './seed.ts';

/** Starts the product on its own database, with the sandbox, and fills it with this many workflows. */
export async function startFilledProduct(say: (line: string) => void, { workflows }: { workflows: number }) {
  const database = await startOwnDatabase('pages', { isDurable: false });
  const db = openDatabase(database.url, { maxConnections: 2, name: 'bench-pages' });
  const product = await startProduct({
    databaseUrl: database.url,
    settings: memorySettings(process.env),
    say,
  });
  const seeded = await seed(db, product, workflows);
  // All runs end before the measurement: pages that show them would change during it.
  await db.$client.query('vacuum analyze');
  while (await hasOpenRuns(db.$client)) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    base: product.base,
    ...seeded,
    /** Starts one more web process, to be measured alone. */
    startWeb: () => product.start('web'),
    async stop(): Promise<void> {
      await product.stop();
      await db.$client.end();
      await database.stop();
    },
  };
}

async function hasOpenRuns(pool: ReturnType<typeof openDatabase>['$client']): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from runs where status not in ('succeeded', 'failed', 'cancelled') limit 1`,
  );
  return rowCount !== 0;
}

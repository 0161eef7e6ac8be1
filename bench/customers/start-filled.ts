import { openDatabase, type Database, type Pool } from '#lib/core/db/client.ts';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { countDueDays } from '#lib/messaging/reports/count-days.ts';
import { signIn } from '../../server/testing/authorization-client.ts';
import { type Product, startProduct } from '../../server/testing/product.ts';
import { startOwnDatabase } from '../own-database.ts';
import { ACCOUNT } from '../pages/seed.ts';
import { fill } from './fill.ts';
import { readFillOptions, talk } from './talk.ts';
import { withoutDurability } from './without-indexes.ts';

export interface FilledProduct {
  base: string;
  /** Of a session of the owner. */
  cookie: string;
  pool: Pool;
  workspaceId: string;
  stop(): Promise<void>;
}

const SLICE_MS = 60_000;

/** Starts the product on its own database, has one conversation, fills it with messages, and counts them for reports. */
export async function startFilledProduct(
  messages: number,
  say: (line: string) => void,
): Promise<FilledProduct> {
  const database = await startOwnDatabase('customers', { isDurable: false });
  const db = openDatabase(database.url, { maxConnections: 4, name: 'bench-customers' });
  const product = await startProduct({ databaseUrl: database.url, parts: [], say });
  const stop = async (): Promise<void> => {
    await product.stop();
    await db.$client.end();
    await database.stop();
  };
  try {
    await createFirstOwner(db, ACCOUNT);
    await talkAlone(product);
    const options = await readFillOptions(db.$client);
    const { $client: pool } = db;
    await withoutDurability(pool, () => fill(pool, { ...options, messages, hasRuns: true, say }));
    await count(db, say);
    const { base } = await product.start('web');
    const cookie = (await signIn(base, ACCOUNT.email, ACCOUNT.password)).toString();
    return { base, cookie, pool: db.$client, workspaceId: options.workspaceId, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Nothing runs during the fill, which removes indexes. */
async function talkAlone(product: Product): Promise<void> {
  const parts = [await product.start('web'), await product.start('worker')];
  await talk(product);
  for (const part of parts) await part.stop();
}

/** As the worker does, without its breaks between slices. */
async function count({ $client: pool }: Database, say: (line: string) => void): Promise<void> {
  const since = performance.now();
  while (await countDueDays({ pool, sliceMs: SLICE_MS }));
  await pool.query('vacuum analyze message_days, counted_days, counted_hours');
  say(`counted for reports in ${((performance.now() - since) / 1000).toFixed(0)} s, half of them breaks`);
}

// The product as tests of vitest start it.
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { type Product, type ProductOptions, startProduct } from './product.ts';

export interface TestProduct extends Product {
  /** A pool of the test's own. */
  db: Database;
}

type Options = Omit<ProductOptions, 'databaseUrl'> & {
  /** Before anything is started. */
  prepare?: (db: Database) => Promise<unknown>;
};

/** Starts a product on a database that goes with it. */
export async function startTestProduct({ prepare, ...options }: Options = {}): Promise<TestProduct> {
  const database = await createTestDatabase();
  const db = openDatabase(database.url, { maxConnections: 4, name: 'test' });
  const close = async (): Promise<void> => {
    await db.$client.end();
    await database.drop();
  };
  try {
    await prepare?.(db);
    const product = await startProduct({ ...options, databaseUrl: database.url });
    return Object.assign(product, {
      db,
      stop: withClose(product.stop, close),
    });
  } catch (error) {
    await close();
    throw error;
  }
}

const withClose = (stop: () => Promise<void>, close: () => Promise<void>) => async (): Promise<void> => {
  await stop();
  await close();
};

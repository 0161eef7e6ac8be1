// Starts the product for Vitest tests.
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { type Product, type ProductOptions, startProduct } from './product.ts';

export interface TestProduct extends Product {
  /** A pool for the test. */
  db: Database;
}

type Options = Omit<ProductOptions, 'databaseUrl'> & {
  /** Called before anything is started. */
  prepare?: (db: Database) => Promise<unknown>;
};

/** Starts a product with a database that is dropped with it. */
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

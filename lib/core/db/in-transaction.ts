import type pg from 'pg';

/** The client of one transaction. */
export type TransactionClient = Pick<pg.PoolClient, 'query'>;

/** Runs `work` in one transaction: everything it wrote is committed when this returns, and nothing when it throws. */
export async function inTransaction<Result>(
  pool: Pick<pg.Pool, 'connect'>,
  work: (client: TransactionClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    client.release(true);
    throw error;
  }
}

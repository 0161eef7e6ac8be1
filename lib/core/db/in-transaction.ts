import type { Pool, Queryable } from './client.ts';

/** Runs `work` in one transaction: everything it wrote is committed when this returns, and nothing when it throws. */
export async function inTransaction<Result>(
  pool: Pick<Pool, 'connect'>,
  work: (client: Queryable) => Promise<Result>,
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

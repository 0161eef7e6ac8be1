import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '../client.ts';

/**
 * While a statement waits for an exclusive lock, all later statements of the table wait, too: so it gives up after this time and
 * tries again.
 */
const LOCK_PATIENCE_MS = 100;
const RETRY_MS = 400;
const LOCK_NOT_AVAILABLE = '55P03';

/** The table was in use by long transactions all the time, or something prevents the conversion. The message says how to fix it. */
export class PartitionError extends Error {}

export interface LockOptions {
  /** How long it tries altogether. */
  patienceMs?: number | undefined;
  say?: ((line: string) => void) | undefined;
}

/**
 * Runs `work` in a transaction that locks a table for an instant, again and again until no other transaction has it.
 * The commit does not wait for the disk, because writers wait for the lock: any step may be lost and repeated.
 * @returns how long the lock was held, in milliseconds
 * @throws PartitionError when it was in use all the time
 */
export async function lockBriefly(
  client: Queryable,
  lock: string,
  work: () => Promise<void>,
  { patienceMs = 300_000, say }: LockOptions = {},
): Promise<number> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    await client.query(
      `begin; set local lock_timeout = ${LOCK_PATIENCE_MS}; set local synchronous_commit = off`,
    );
    try {
      await client.query(lock);
      const since = performance.now();
      await work();
      await client.query('commit');
      return performance.now() - since;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (performance.now() > deadline)
        throw new PartitionError(
          `“${lock}” could not get its lock for ${Math.round(patienceMs / 1000)} seconds, because long transactions use the table. ` +
            'Nothing was changed by this step. Run the command again when they have ended: a backup, an export, or an open session of psql.',
          { cause: error },
        );
      if (tries === 1) say?.('A table is in use: trying again');
      await wait(RETRY_MS);
    }
  }
}

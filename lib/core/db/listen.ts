import type pg from 'pg';
import type { Pool } from './client.ts';

const RECONNECT_MS = 500;
/** A connection on which nothing is heard may be a dead one: now and then it is asked for a sign of life. */
const SIGN_OF_LIFE_MS = 15_000;

/**
 * Hears a channel's notifications on a connection of the pool, for as long as it is not stopped: a connection that
 * breaks is replaced. What is notified in between is not heard: notifications are hints, something else is the truth.
 * @param channel an SQL identifier, quoted where it has to be.
 * @param hear called with a notification's payload.
 */
export function listen(pool: Pool, channel: string, hear: (payload: string) => void): { stop(): void } {
  let isStopped = false;
  let listener: pg.PoolClient | undefined;

  async function listenOnce(): Promise<void> {
    const client = await pool.connect();
    listener = client;
    let asking: NodeJS.Timeout | undefined;
    try {
      const ended = new Promise<void>((resolve) => client.once('error', resolve).once('end', resolve));
      client.on('notification', ({ payload }) => hear(payload ?? ''));
      // Stopped while it connected: a client that is kept would hold up the end of the pool.
      if (!isStopped) await client.query(`listen ${channel}`);
      const isDead = new Promise<void>((resolve) => {
        asking = setInterval(
          () => void client.query('select 1').catch(() => resolve()),
          SIGN_OF_LIFE_MS,
        ).unref();
      });
      if (!isStopped) await Promise.race([ended, isDead]);
    } finally {
      clearInterval(asking);
      if (listener === client) client.release(true);
      listener = undefined;
    }
  }

  async function listenOn(): Promise<void> {
    while (!isStopped) {
      await listenOnce().catch(() => undefined);
      if (!isStopped) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref());
    }
  }

  void listenOn();
  return {
    stop() {
      isStopped = true;
      const client = listener;
      listener = undefined;
      client?.release(true);
    },
  };
}

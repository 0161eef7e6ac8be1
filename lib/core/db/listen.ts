import type pg from 'pg';
import type { Pool } from './client.ts';

const RECONNECT_MS = 500;
/** A silent connection may be dead: it is checked this often. */
const SIGN_OF_LIFE_MS = 15_000;

/**
 * Listens on a channel with a connection of the pool until it is stopped; a connection that breaks is replaced. Notifications
 * in between are lost: they are hints, so that every listener also polls.
 * @param channel an SQL identifier, quoted where necessary
 * @param onNotification called with a notification's payload
 */
export function listen(
  pool: Pool,
  channel: string,
  onNotification: (payload: string) => void,
): { stop(): void } {
  let isStopped = false;
  let listener: pg.PoolClient | undefined;

  async function listenOnce(): Promise<void> {
    const client = await pool.connect();
    listener = client;
    let asking: NodeJS.Timeout | undefined;
    try {
      const ended = new Promise<void>((resolve) => client.once('error', resolve).once('end', resolve));
      client.on('notification', ({ payload }) => onNotification(payload ?? ''));
      // Stopped while connecting: a client that is not released would block the end of the pool.
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

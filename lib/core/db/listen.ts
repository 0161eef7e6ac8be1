import type pg from 'pg';
import type { Pool } from './client.ts';

const RECONNECT_MS = 500;

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
    try {
      const ended = new Promise<void>((resolve) => client.once('error', resolve).once('end', resolve));
      client.on('notification', ({ payload }) => hear(payload ?? ''));
      // Stopped while it connected: a client that is kept would hold up the end of the pool.
      if (!isStopped) await client.query(`listen ${channel}`);
      if (!isStopped) await ended;
    } finally {
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

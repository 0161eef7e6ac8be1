// Keeps the embedded database running for as long as the product does.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';

const RESTART_PAUSE_MS = { first: 200, longest: 10_000 };

export interface SupervisedDatabase {
  readonly url: string;
  /** The actual location of its data. */
  readonly dataFolder: string;
  stop(): Promise<void>;
}

/**
 * Starts or takes over the embedded database and restarts it whenever it ends. @param connections minimum number of allowed
 * connections @param moved called when it was restarted with another URL (its port was taken).
 */
export async function superviseDatabase(
  dataFolder: string,
  connections: number,
  say: (line: string) => void,
  moved: () => void,
): Promise<SupervisedDatabase> {
  const start = () =>
    startEmbeddedPostgres({ dataDirectory: join(dataFolder, 'postgres'), connections, say });
  const stopping = new AbortController();
  let server: EmbeddedPostgres = await start();

  async function startAgain(): Promise<EmbeddedPostgres | null> {
    for (let pauseMs = RESTART_PAUSE_MS.first; !stopping.signal.aborted; pauseMs *= 2) {
      try {
        return await start();
      } catch (error) {
        say((error as Error).message);
        const pause = Math.min(pauseMs, RESTART_PAUSE_MS.longest);
        await wait(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
    return null;
  }

  async function keepRunning(): Promise<void> {
    for (;;) {
      await server.gone;
      if (stopping.signal.aborted) return;
      say('The database stopped: restarting it');
      const started = await startAgain();
      if (!started) return;
      const before = server.url;
      server = started;
      if (server.url !== before) moved();
    }
  }
  let running = keepRunning();
  running = running.catch((error: unknown) => say(`The database is no longer supervised: ${String(error)}`));

  return {
    get url() {
      return server.url;
    },
    dataFolder: server.dataFolder,
    async stop() {
      const before = server;
      stopping.abort();
      await before.stop();
      await running;
      if (server !== before) await server.stop();
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '#lib/core/db/client.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { listProcesses } from './process-list.ts';

const migrations = new URL('../../drizzle', import.meta.url).pathname;
const TERMINATE_EVERY_MS = 25;

/** A separate, migrated PostgreSQL server that is broken on purpose. */
export class BreakableDatabase {
  readonly #dataDirectory: string;
  #postgres: EmbeddedPostgres;
  #starting: Promise<unknown> = Promise.resolve();
  #isOver = false;

  private constructor(dataDirectory: string, postgres: EmbeddedPostgres) {
    this.#dataDirectory = dataDirectory;
    this.#postgres = postgres;
  }

  static async start(dataDirectory: string): Promise<BreakableDatabase> {
    const postgres = await startEmbeddedPostgres({ dataDirectory });
    await migrateDatabase(postgres.url, migrations);
    return new BreakableDatabase(dataDirectory, postgres);
  }

  get url(): string {
    return this.#postgres.url;
  }

  /** The server's main process. */
  get pid(): number {
    return this.#postgres.pid;
  }

  /** Its other processes. */
  backendPids(): number[] {
    return listProcesses()
      .filter(({ ancestors }) => ancestors.includes(this.pid))
      .map(({ pid }) => pid);
  }

  /** Kills the main process (`SIGKILL`), or stops it immediately (`SIGQUIT`) or fast (`SIGINT`); then starts it again. */
  async restart(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void> {
    process.kill(this.pid, signal);
    await this.#postgres.gone;
    await this.startAgain();
  }

  /** Starts the server unless it runs. */
  async startAgain(): Promise<void> {
    if (this.#isOver) throw new Error('The database was stopped for good.');
    const starting = startEmbeddedPostgres({ dataDirectory: this.#dataDirectory });
    this.#starting = starting.catch(() => undefined);
    this.#postgres = await starting;
  }

  /** Permanently, also while it is being restarted. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#starting;
    await this.#postgres.stop();
  }
}

/** Ends connections of the product one by one while they work. */
export async function terminateBackends(pool: Pool, count: number): Promise<void> {
  for (let ended = 0; ended < count;) {
    const { rows } = await pool.query(
      `select pg_terminate_backend(pid) from (
         select pid from pg_stat_activity
         where datname = current_database() and application_name like 'patchbay%' order by random() limit 1
       ) as chosen`,
    );
    ended += rows.length;
    await sleep(TERMINATE_EVERY_MS);
  }
}

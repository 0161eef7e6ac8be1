// A new embedded PostgreSQL with `fsync` and `synchronous_commit` on, and the queries of a benchmark.
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase, type Pool, untilNoDeadlock } from '#lib/core/db/client.ts';
import { listTablesToAnalyze } from '#lib/core/db/migrate.ts';
import { startOwnDatabase } from '../own-database.ts';

const POLL_MS = 100;
const LONGEST_DRAIN_MS = 60_000;

export interface Drained {
  /** Runs that succeeded. */
  executed: number;
  /** When the last run ended, in milliseconds since 1970. */
  endedAt: number;
  /** Failed runs, and those that did not end within a minute. */
  left: number;
}

export interface BenchDatabase {
  /** Of the server, whose descendants are its backends. */
  pid: number;
  /** The backend that queries whether runs have ended; its processor time belongs to the benchmark. */
  watcherPid: number;
  pool: Pool;
  url: string;
  countUnfinished(): Promise<number>;
  /** Waits until all runs ended. @param longestMs left out: a minute */
  untilDrained(longestMs?: number): Promise<Drained>;
  /** Only of one that counts statements: begins again. */
  resetStatements(): Promise<void>;
  /** Of all clients but the benchmark. */
  countStatements(): Promise<number>;
  /** Empties the tables that a webhook fills, and leaves them as after housekeeping. */
  emptyTables(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts it with its own data folder, which is removed with it.
 * @param countsStatements it costs the server a little
 */
export async function startBenchDatabase({ countsStatements = false } = {}): Promise<BenchDatabase> {
  const database = await startOwnDatabase('bench', { isDurable: true, countsStatements });
  const pool = openDatabase(database.url, { maxConnections: 4, name: 'bench' }).$client;
  const watcher = await pool.connect();
  // A worker of a parallel query would not count as the benchmark's.
  await watcher.query('set max_parallel_workers_per_gather = 0');
  const { rows } = await watcher.query<{ pid: number }>('select pg_backend_pid() as pid');

  const countUnfinished = async (): Promise<number> => {
    const counted = await watcher.query<{ count: number }>(
      `select count(*)::int as count from runs where status not in ('succeeded', 'failed', 'cancelled')`,
    );
    return counted.rows[0]?.count ?? 0;
  };
  return {
    pid: database.postgres.pid,
    watcherPid: rows[0]?.pid ?? 0,
    pool,
    url: database.url,
    countUnfinished,
    untilDrained: async (longestMs = LONGEST_DRAIN_MS) => {
      const deadline = Date.now() + longestMs;
      while ((await countUnfinished()) > 0 && Date.now() < deadline) await wait(POLL_MS);
      const counted = await watcher.query<Drained>(
        `select count(*) filter (where status = 'succeeded')::int as executed,
           count(*) filter (where status <> 'succeeded')::int as left,
           coalesce(extract(epoch from max(finished_at)) * 1000, 0)::float8 as "endedAt" from runs`,
      );
      return counted.rows[0] ?? { executed: 0, endedAt: 0, left: 0 };
    },
    resetStatements: async () => void (await watcher.query('select pg_stat_statements_reset()')),
    countStatements: async () => {
      const counted = await watcher.query<{ count: number }>(
        `select coalesce(sum(calls), 0)::int as count from pg_stat_statements
         where query not like '%pg_stat_statements%' and query not like 'select count(*)%from runs%'`,
      );
      return counted.rows[0]?.count ?? 0;
    },
    emptyTables: async () => {
      // Housekeeping may hold a lock just then.
      await untilNoDeadlock(pool, (client) => client.query('truncate events, runs, task_runs, run_claims'));
      await pool.query('truncate graphile_worker._private_jobs');
      const tables = await listTablesToAnalyze(pool);
      if (tables.length > 0) await pool.query(`vacuum analyze ${tables.join(', ')}`);
      await pool.query('checkpoint');
    },
    stop: async () => {
      watcher.release();
      await pool.end();
      await database.stop();
    },
  };
}

// How many connections to PostgreSQL Patchbay opens at most: the only place that says how large its pools are.
import type { Pool } from './client.ts';

/**
 * Maximum connections of one process, by pool. `ordinary`: screens, API, tasks. `hot`: batched statements by key, such as the
 * intake of webhooks. `engine`: jobs and runs of workers, which a burst of messages must not delay. `vital`: heartbeat and
 * health, which have to work however busy the others are.
 */
export const POOL_SIZES = {
  web: { ordinary: 10, hot: 10, engine: 0, vital: 2 },
  worker: { ordinary: 6, hot: 6, engine: 7, vital: 1 },
} as const;

export type ProcessKind = keyof typeof POOL_SIZES;

/** The launcher, and an administrator with psql. */
const OTHERS = 5;

export interface ProcessCounts {
  webProcesses: number;
  workerProcesses: number;
}

/** Maximum number of open connections. */
export const connectionBudget = ({ webProcesses, workerProcesses }: ProcessCounts): number =>
  webProcesses * sizeOf('web') + workerProcesses * sizeOf('worker') + OTHERS;

const sizeOf = (kind: ProcessKind): number => {
  const { ordinary, hot, engine, vital } = POOL_SIZES[kind];
  return ordinary + hot + engine + vital;
};

/** Connections that PostgreSQL reserves for superusers and, from version 16, for a role. */
const CONNECTIONS = `
select sum(case name when 'max_connections' then setting::int else -setting::int end)::int as available,
  (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open
from pg_settings where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`;

/** How many connections PostgreSQL allows, and how many are open now, including those of other programs. */
export async function countConnections(pool: Pool): Promise<{ available: number; open: number }> {
  const { rows } = await pool.query<{ available: number; open: number }>(CONNECTIONS);
  return rows[0] ?? { available: 0, open: 0 };
}

/**
 * The problem and its fix where PostgreSQL allows fewer connections than the processes may open; null where it allows enough.
 * Pools open connections on demand, so that a shortage would only show under load.
 */
export async function findConnectionShortage(pool: Pool, counts: ProcessCounts): Promise<string | null> {
  const [wanted, { available }] = [connectionBudget(counts), await countConnections(pool)];
  if (wanted <= available) return null;
  const { webProcesses, workerProcesses } = counts;
  return `PostgreSQL allows ${available} connections, but ${webProcesses} web and ${workerProcesses} worker processes may open ${wanted}. Requests can fail under load. Lower WEB_PROCESSES or WORKER_PROCESSES, or raise max_connections of PostgreSQL by ${wanted - available}.`;
}

// The one file that names the database driver.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

export type Database = NodePgDatabase<Record<string, never>> & { $client: pg.Pool };
export type Pool = pg.Pool;
/** Executes one statement: a pool, or the client of a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** Makes one part for each pool, when it is first needed. */
export function perPool<Part>(make: (pool: Pool) => Part): (pool: Pool) => Part {
  const parts = new WeakMap<Pool, { part: Part }>();
  return (pool) => {
    const known = parts.get(pool) ?? { part: make(pool) };
    parts.set(pool, known);
    return known.part;
  };
}

/**
 * Opens a pool of connections; close it with `database.$client.end()`.
 * Idle connections that break are dropped quietly: the next query opens a new one.
 */
export function openDatabase(url: string, options: PoolOptions = {}): Database {
  return databaseOver(createPool(url, options));
}

/** For statements within a transaction of this connection (`inTransaction`). */
export const databaseOn = (client: Queryable) =>
  drizzle<Record<string, never>, pg.PoolClient>(client as pg.PoolClient);

/** Drizzle over an existing pool. */
export const databaseOver = (pool: Pool): Database => drizzle<Record<string, never>, pg.Pool>(pool);

/**
 * Every statement has an index made for it. Where statistics are missing or wrong, the planner may prefer to scan and sort a
 * whole table, and a list takes seconds. So these plans are switched off, and with them JIT compilation, which takes longer
 * than any statement here.
 */
const BY_INDEX = [
  'enable_seqscan = off',
  'enable_bitmapscan = off',
  'enable_incremental_sort = off',
  'jit = off',
];
/**
 * The batched statements of intake and engine find every row by its key, whatever the parameters are. PostgreSQL would make a plan
 * again at each execution with short arrays, because it estimates that one cheaper: it took two thirds of the time of a
 * statement that stores four statuses.
 *
 * A plan that was made while a table was nearly empty is kept, too. A table that has to be read by its key is joined by `= any(array[…])`:
 * with `=`, which could be merged as well, the planner may read the whole table in the order of an index instead
 * (docs/decisions/kept-plans.md).
 */
const BY_KEY = [
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'jit = off',
  'plan_cache_mode = force_generic_plan',
];

/**
 * Set on each new connection: PgBouncer refuses clients that send settings in the startup message.
 * @param settings of the planner
 * @param idleMs a process that stops in the middle of a transaction, or that the network has cut off, holds its locks no longer
 * than this; left out: as long as the connection lasts
 */
function setUp(settings: readonly string[], idleMs?: number): pg.PoolConfig {
  const statements = settings.map((setting) => `set ${setting}`);
  if (idleMs !== undefined) statements.push(`set idle_in_transaction_session_timeout = ${idleMs}`);
  // The pool awaits the result, although its types do not say so.
  return { onConnect: (client): void => client.query(statements.join('; ')) as unknown as undefined };
}

interface PoolOptions {
  maxConnections?: number;
  name?: string;
  /** Query timeout; left out: none while the connection lasts. */
  answerTimeoutMs?: number;
}

function createPool(url: string, { maxConnections = 8, name = 'patchbay', answerTimeoutMs }: PoolOptions) {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: name,
    ...setUp(BY_INDEX, answerTimeoutMs),
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
  });
  return dropBroken(pool);
}

/** A connection that breaks is dropped without ending the process: the next query opens a new one. */
function dropBroken(pool: pg.Pool): pg.Pool {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Query timeout where statements take milliseconds. Without it, a server that vanished without closing its connections, for
 * example because it lost its network, would be waited for until the kernel gives up after a quarter of an hour.
 */
const ANSWER_TIMEOUT_MS = 8000;

/**
 * A connection keeps the plans of its statements. One that was made while a table was empty may read all of it later: every key
 * costs the same there. PostgreSQL makes it again once autovacuum has counted the table, which it does once a minute, unless it
 * is off, behind, or starts again with the database.
 */
const PLANS_LAST_SECONDS = 60;

/**
 * A pool for the batched statements of intake and engine. Plans that scan are switched off: a plan made while a table was
 * empty must not be used when it holds millions of rows.
 */
export function openHotPool(
  url: string,
  options: { maxConnections: number; name: string; answerTimeoutMs?: number; lifetimeSeconds?: number },
): Pool {
  const timeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections,
    application_name: options.name,
    query_timeout: timeoutMs,
    connectionTimeoutMillis: timeoutMs,
    // Shorter than the query timeout, so that dead idle connections are closed before the next statement would use one.
    idleTimeoutMillis: timeoutMs / 2,
    maxLifetimeSeconds: options.lifetimeSeconds ?? PLANS_LAST_SECONDS,
    ...setUp(BY_KEY, timeoutMs),
  });
  return dropBroken(pool);
}

const dialect = new PgDialect();

/** The rows of a statement as the driver returns them: instants are `Date`s, unlike those of `db.execute`. */
export async function queryRows<Row extends object>(
  db: { $client: Queryable },
  statement: SQL,
): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return (await db.$client.query<Row>(text, params)).rows;
}

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

const DEADLOCK = '40P01';
const MAX_TRIES = 3;

/** The same, repeated when PostgreSQL aborted it because of a deadlock: three times at most. */
export async function untilNoDeadlock<Result>(
  pool: Pick<Pool, 'connect'>,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || tries === MAX_TRIES) throw error;
    }
  }
}

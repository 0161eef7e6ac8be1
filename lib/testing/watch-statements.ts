// Observes the statements of some work, through a pool or in transactions of its clients.
import type { PoolClient } from 'pg';
import type { Pool } from '#lib/core/db/client.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

type Given = [first: string | { text: string; values?: unknown[] }, ...rest: unknown[]];
type Query = (...given: Given) => Promise<unknown>;
type Look = (client: PoolClient, statement: Statement) => Promise<void>;

const LOOKED_AT = /^\s*(select|insert|update|delete|with)\b/i;

/**
 * Does some work. Before each statement that reads or writes rows, `look` gets it with a client on which it may be executed: in
 * the same state as the statement, and rolled back afterwards.
 */
export async function watchStatements(pool: Pool, work: () => Promise<unknown>, look: Look): Promise<void> {
  const watched = new Set<PoolClient>();
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => Promise<PoolClient>;
  const query = pool.query.bind(pool) as Query;
  Object.assign(pool, {
    connect: async (...given: unknown[]) => {
      // With a callback it is the pool's own call, for an already observed statement.
      if (given.length > 0) return connect(...given);
      const client = await connect();
      if (!watched.has(client)) watch(client, look);
      watched.add(client);
      return client;
    },
    query: async (...given: Given) => {
      const statement = read(given);
      if (statement) await lookApart(await connect(), statement, look);
      return query(...given);
    },
  });
  try {
    await work();
  } finally {
    for (const name of ['connect', 'query']) Reflect.deleteProperty(pool, name);
    for (const client of watched) Reflect.deleteProperty(client, 'query');
  }
}

/** In its own transaction. */
async function lookApart(client: PoolClient, statement: Statement, look: Look): Promise<void> {
  try {
    await client.query('begin');
    await look(client, statement);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function watch(client: PoolClient, look: Look): void {
  const query = client.query.bind(client) as unknown as Query;
  const plain = { query } as unknown as PoolClient;
  Object.assign(client, {
    query: async (...given: Given) => {
      const statement = typeof given.at(-1) === 'function' ? null : read(given);
      if (statement) {
        await query('savepoint before_look');
        await look(plain, statement);
        await query('rollback to savepoint before_look');
      }
      return query(...given);
    },
  });
}

function read([first, values]: Given): Statement | null {
  const text = typeof first === 'string' ? first : first.text;
  if (!LOOKED_AT.test(text)) return null;
  const own = typeof first === 'string' ? undefined : first.values;
  return { text, values: (Array.isArray(values) ? (values as unknown[]) : own) ?? [] };
}

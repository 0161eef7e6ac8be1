import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { inject } from 'vitest';

const CLONING_LOCK = 7_278_224;
const LEAK_PATIENCE_MS = 2_000;

export interface TestDatabase {
  url: string;
  /** Drops the database. Throws when connections to it are still open: a pool of the code under test leaks. */
  drop(): Promise<void>;
}

/** A separate migrated, empty database for one test file, cloned from the template. */
export const createTestDatabase = (): Promise<TestDatabase> => create(inject('templateDatabase'));

/** One without any table. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template0');

async function create(template: string): Promise<TestDatabase> {
  const serverUrl = inject('databaseServerUrl');
  const name = `patchbay_test_${randomBytes(8).toString('hex')}`;
  await withClient(serverUrl, async (client) => {
    // Cloning fails while another session uses the template, another clone included.
    await client.query('SELECT pg_advisory_lock($1)', [CLONING_LOCK]);
    // Copying its files takes half of the processor time of writing them to the log, which is not used here.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  });
  const url = new URL(serverUrl);
  url.pathname = name;
  return {
    url: url.href,
    drop: () =>
      withClient(serverUrl, async (client) => {
        const leaked = await waitForConnectionsToEnd(client, name);
        await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
        if (leaked.length > 0) throw new Error(`Connections left open by the test:\n${leaked.join('\n')}`);
      }),
  };
}

/** The remaining connections after a moment, one line each. */
async function waitForConnectionsToEnd(client: Client, database: string): Promise<string[]> {
  const deadline = Date.now() + LEAK_PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ application_name: string; state: string; query: string }>(
      `SELECT application_name, state, query FROM pg_stat_activity
       WHERE datname = $1 AND backend_type = 'client backend'`,
      [database],
    );
    if (rows.length === 0 || Date.now() > deadline)
      return rows.map((row) => `${row.application_name || 'unnamed'} (${row.state}): ${row.query}`);
    await wait(20);
  }
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

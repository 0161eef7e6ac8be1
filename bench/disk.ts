// `npm run bench:disk`: what a webhook with a message and its statuses adds to the database and to PostgreSQL's write-ahead log, and how
// many blocks taking jobs reads while a backup's snapshot is held. For docs/running/sizing.md.
import { readDatabaseBytes } from '#lib/core/disk.ts';
import { oneTask } from './workflows.ts';
import { postAll } from './http/post-all.ts';
import { makeOrders, type Sending, templateSettings, withSending } from './webhooks/sending.ts';

const WEBHOOKS = Number(process.env['BENCH_DISK_WEBHOOKS'] ?? 20_000);
const CONNECTIONS = 4;

const TAKEN = `
select coalesce(sum(shared_blks_hit + shared_blks_read) / nullif(sum(calls), 0), 0)::float8 as blocks, coalesce(sum(calls), 0)::int as calls
from pg_stat_statements where query like '%with due as%'`;

async function readSizes({ database: { pool } }: Sending): Promise<{ bytes: number; wal: number }> {
  const { rows } = await pool.query<{ wal: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as wal`);
  return { bytes: await readDatabaseBytes(pool), wal: rows[0]?.wal ?? 0 };
}

async function post(sending: Sending, url: string, first: number, count: number): Promise<string> {
  const bodies = makeOrders(count, first).map((order) => ({ body: JSON.stringify(order), headers: {} }));
  await sending.database.resetStatements();
  const sent = await postAll(url, bodies, CONNECTIONS);
  const { left } = await sending.database.untilDrained(120_000);
  const { rows } = await sending.database.pool.query<{ blocks: number; calls: number }>(TAKEN);
  const [{ blocks, calls } = { blocks: 0, calls: 0 }] = rows;
  return `${(sent.requests / sent.seconds).toFixed(0)} webhooks/s for ${sent.seconds.toFixed(0)} s, ${sent.errors + left} errors; ${blocks.toFixed(0)} blocks a look for jobs (${calls})`;
}

await withSending({ statusesPerRequest: 100, reportingConnections: 8 }, async (sending) => {
  const { pool } = sending.database;
  const graph = oneTask('messaging_business', templateSettings(sending.connectionId, 'task_1'));
  const { url } = await sending.insert(graph);
  console.log(`warm-up: ${await post(sending, url, 0, 1000)}`);
  await pool.query('checkpoint');
  const before = await readSizes(sending);
  console.log(`without a snapshot: ${await post(sending, url, 1000, WEBHOOKS)}`);
  const after = await readSizes(sending);
  for (const key of ['bytes', 'wal'] as const)
    console.log(`${key} of a webhook: ${((after[key] - before[key]) / WEBHOOKS).toFixed(0)}`);
  const backup = await pool.connect();
  try {
    await backup.query('begin isolation level repeatable read read only');
    await backup.query('select count(*) from workspaces');
    console.log(`with a snapshot: ${await post(sending, url, 1000 + WEBHOOKS, WEBHOOKS)}`);
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers) select id from graphile_worker._private_jobs
       where is_available and priority = 0 and run_at <= now() order by run_at limit 24`,
    );
    console.log(rows.map((row) => row['QUERY PLAN']).join('\n'));
  } finally {
    await backup.query('rollback');
    backup.release();
  }
});

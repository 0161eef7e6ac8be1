// `npm run bench:partition`: converts BENCH_ROWS (2000000) rows of events, runs and task runs to partitions and back, while a web and a
// worker process get BENCH_RATE (20) webhooks a second, and measures how long webhooks took in the meantime. Exits with 1 if anything was
// lost.
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { convertBack } from '#lib/core/db/partitions/convert-back.ts';
import { convertToPartitions } from '#lib/core/db/partitions/convert.ts';
import { readShapes } from '#lib/core/db/partitions/shape.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startProduct } from '../server/testing/product.ts';
import { openClient } from './http/client.ts';
import { FILLED_TASK_RUNS, fillRuns } from './fill-runs.ts';
import { ORDER } from './load.ts';
import { withDatabase } from './own-database.ts';
import { FIVE_TASKS } from './workflows.ts';

/** Of each run: event, run and task runs. */
const ROWS_OF_RUN = 2 + FILLED_TASK_RUNS;
const RUNS = Math.ceil(Number(process.env.BENCH_ROWS ?? 2_000_000) / ROWS_OF_RUN);
/** They are of months after the conversion, and have to be moved back. */
const LATER_RUNS = 2000;
const RATE = Number(process.env.BENCH_RATE ?? 20);
/** Webhooks that wait for a lock have to find a free one. */
const MOST_CONNECTIONS = 1000;
const ALONE_MS = 20_000;
const AFTER_MS = 5000;
const DRAIN_PATIENCE_MS = 60_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const FILL = { tasks: [{ id: 1, type: 'inbound_webhook', name: 'Start', settings: {} }], edges: [] };

const COUNT = `
select (select count(*) from events where workflow_id = $1)
  + (select count(*) from runs where workflow_id = $1 and status = 'succeeded')
  + (select count(*) from runs r join task_runs t on t.run_id = r.id where r.workflow_id = $1 and t.status = 'succeeded') as rows`;

let isLost = false;
await withDatabase({ name: 'partition', isDurable: true }, async (url) => {
  const { $client: pool } = openDatabase(url, { maxConnections: 4, name: 'bench-partition' });
  const filled = await insertWorkflow(pool, FILL);
  const called = await insertWorkflow(pool, FIVE_TASKS);
  say(`filling ${RUNS} runs: ${RUNS * ROWS_OF_RUN} rows`);
  await fillRuns(pool, filled, RUNS, { fromDays: 120, days: 80 });
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  // Workers execute the runs: a first leg would be written with its event.
  const product = await startProduct({
    databaseUrl: url,
    sandbox: false,
    settings: { FIRST_LEG: 'off' },
    say,
  });
  const webhook = `${product.base}/webhook/${called.token}`;
  try {
    const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      const webhooks = startWebhooks(webhook);
      const since = performance.now();
      await work();
      const seconds = (performance.now() - since) / 1000;
      await pause(AFTER_MS);
      const { latencies, refused } = await webhooks.stop();
      say(`${what}, ${seconds.toFixed(1)} s; webhooks: ${describe(latencies)}, ${refused} refused`);
      sent += latencies.length;
      isLost ||= refused > 0;
    };
    let sent = 0;
    await measure('nothing else', () => pause(ALONE_MS));
    await measure('to partitions', async () => reportLocks(await convertToPartitions(url)));
    await describeShapes(pool);
    await fillRuns(pool, filled, LATER_RUNS, { fromDays: -65, days: 1 });
    await measure('partitioned', () => pause(ALONE_MS));
    await measure('back', async () => reportLocks(await convertBack(url)));
    await describeShapes(pool);
    const expected = {
      filled: (RUNS + LATER_RUNS) * ROWS_OF_RUN,
      called: sent * (2 + FIVE_TASKS.tasks.length),
    };
    const found = await untilAllIsThere(
      pool,
      { filled: filled.workflowId, called: called.workflowId },
      expected,
    );
    say(`rows: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
    isLost ||= found.filled !== expected.filled || found.called !== expected.called;
  } finally {
    await product.stop();
    await pool.end();
  }
});
say(isLost ? 'something was lost' : 'nothing was lost');
process.exit(isLost ? 1 : 0);

function reportLocks(tables: readonly { table: string; lockedMs: number[] }[]): void {
  for (const { table, lockedMs } of tables)
    say(`  ${table} was locked for ${lockedMs.map((ms) => `${ms.toFixed(1)} ms`).join(' and ')}`);
}

async function describeShapes(pool: Pool): Promise<void> {
  const states = await readShapes(pool);
  say(
    `  ${states.map(({ table, shape, partitions }) => `${table}: ${shape}, ${partitions.length}`).join('; ')}`,
  );
}

interface Rows {
  filled: number;
  called: number;
}

/** Counts what is there, until all runs have ended. */
async function untilAllIsThere(pool: Pool, ids: Record<keyof Rows, string>, expected: Rows): Promise<Rows> {
  const count = async (id: string): Promise<number> =>
    Number((await pool.query<{ rows: string }>(COUNT, [id])).rows[0]?.rows);
  for (const deadline = Date.now() + DRAIN_PATIENCE_MS; ; await pause(500)) {
    const called = await count(ids.called);
    if (called >= expected.called || Date.now() > deadline)
      return { filled: await count(ids.filled), called };
  }
}

interface Webhooks {
  latencies: number[];
  refused: number;
}

/** Webhooks at a steady rate, until it is stopped: how long each answer took, in milliseconds. */
function startWebhooks(url: string): { stop: () => Promise<Webhooks> } {
  const client = openClient(url, MOST_CONNECTIONS);
  const result: Webhooks = { latencies: [], refused: 0 };
  const pending: Promise<void>[] = [];
  const send = async (): Promise<void> => {
    const since = performance.now();
    const status = await client.post({ body: ORDER, headers: {} });
    if (status === 200) result.latencies.push(performance.now() - since);
    else result.refused += 1;
  };
  const timer = setInterval(() => pending.push(send()), 1000 / RATE);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      client.close();
      return result;
    },
  };
}

function describe(latencies: readonly number[]): string {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  return `${sorted.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

// The cost of storing webhooks, and of executing their runs afterwards.
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { readFamilySeconds } from '#lib/testing/process-times.ts';
import { driveFast } from '../load.ts';
import { median } from '../webhooks/measure.ts';
import type { Installation } from './start.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
const POLL_MS = 100;
const LONGEST_DRAIN_MS = 120_000;

/** Rates, and microseconds of processor time for a webhook, of Patchbay and PostgreSQL. */
export interface WebhookFigures {
  storedPerSecond: number;
  storedMicroseconds: number;
  executedPerSecond: number;
  executedMicroseconds: number;
}

const OPEN = `
select count(*)::int as count from runs
where workflow_id = $1 and status in ('queued', 'running') and id >= $2`;
const EXECUTED = `
select count(*) filter (where status = 'succeeded')::int as succeeded, count(*)::int as count,
  extract(epoch from max(finished_at) - min(started_at))::float8 as seconds
from runs where workflow_id = $1 and id >= $2`;
const FIRST_OPEN = `select id from runs where workflow_id = $1 and status = 'queued' order by id limit 1`;

/** @returns medians of several rounds: webhooks for some seconds without a worker, then a worker until all runs have ended */
export async function measureWebhooks(
  installation: Installation,
  { seconds, rounds, say }: { seconds: number; rounds: number; say: (line: string) => void },
): Promise<WebhookFigures> {
  const watcher = await installation.ctx.db.$client.connect();
  // A worker of a parallel query would count as the product's.
  await watcher.query('set max_parallel_workers_per_gather = 0');
  try {
    const measured: WebhookFigures[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const figures = await measureRound(installation, watcher, seconds);
      say(`  round ${round}: ${describeWebhooks(figures)}`);
      measured.push(figures);
    }
    const of = (name: keyof WebhookFigures): number => median(measured.map((each) => each[name]));
    return {
      storedPerSecond: of('storedPerSecond'),
      storedMicroseconds: of('storedMicroseconds'),
      executedPerSecond: of('executedPerSecond'),
      executedMicroseconds: of('executedMicroseconds'),
    };
  } finally {
    watcher.release();
  }
}

export const describeWebhooks = (figures: WebhookFigures): string =>
  `stored ${figures.storedPerSecond.toFixed(0)} a second, ${figures.storedMicroseconds.toFixed(0)} µs each; ` +
  `executed ${figures.executedPerSecond.toFixed(0)} a second, ${figures.executedMicroseconds.toFixed(0)} µs each`;

async function measureRound(
  { product, databasePid, workflowId, token, ctx }: Installation,
  watcher: PoolClient,
  seconds: number,
): Promise<WebhookFigures> {
  const { rows: own } = await watcher.query<{ pid: number }>('select pg_backend_pid() as pid');
  const costOf = (pid: number): number =>
    readFamilySeconds(pid) + readFamilySeconds(databasePid, [own[0]?.pid ?? 0]);
  const web = await product.start('web', { FIRST_LEG: 'off' });
  const url = `${web.base}/webhook/${token}`;
  await driveFast(url, CONNECTIONS, WARM_UP_SECONDS);
  await ctx.db.$client.query('checkpoint');
  const beforeLoad = costOf(web.pid);
  const load = await driveFast(url, CONNECTIONS, seconds);
  const storing = costOf(web.pid) - beforeLoad;
  if (load.errors > 0) throw new Error(`${load.errors} of ${load.requests} webhooks were refused.`);
  await web.stop();

  // The worker also executes the runs of the warm-up, which no figure counts but this one.
  const open = await watcher.query<{ id: string }>(FIRST_OPEN, [workflowId]);
  const since = open.rows[0]?.id;
  const worker = await product.start('worker');
  const beforeWork = costOf(worker.pid);
  await untilEmpty(watcher, [workflowId, since]);
  const working = costOf(worker.pid) - beforeWork;
  await worker.stop();
  const { rows } = await watcher.query<{ succeeded: number; count: number; seconds: number }>(EXECUTED, [
    workflowId,
    since,
  ]);
  const executed = rows[0] ?? { succeeded: 0, count: 0, seconds: NaN };
  if (executed.succeeded < executed.count)
    throw new Error(`${executed.count - executed.succeeded} of ${executed.count} runs did not succeed.`);
  return {
    storedPerSecond: load.requestsPerSecond,
    storedMicroseconds: (storing * 1e6) / load.requests,
    executedPerSecond: executed.count / executed.seconds,
    executedMicroseconds: (working * 1e6) / executed.count,
  };
}

async function untilEmpty(watcher: PoolClient, bounds: readonly unknown[]): Promise<void> {
  const deadline = Date.now() + LONGEST_DRAIN_MS;
  for (;;) {
    const { rows } = await watcher.query<{ count: number }>(OPEN, [...bounds]);
    if (rows[0]?.count === 0) return;
    if (Date.now() > deadline) throw new Error(`${rows[0]?.count} runs did not end within two minutes.`);
    await pause(POLL_MS);
  }
}

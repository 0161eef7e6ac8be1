// `npm run bench`: everything in one run on one machine, so that the ratios mean something (see bench/README.md).
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { type Child, findFreePort, startChild } from './children.ts';
import { driveFast, driveSteadily, type LoadResult } from './load.ts';
import { ANSWERED, FIVE_TASKS } from './workflows.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const BACKLOG = Number(process.env.BENCH_BACKLOG ?? 50_000);
const STEADY_RATES = [2500, 3500, 4500, 5500, 6500, 7500, 8500];
const ONLY = new Set((process.env.BENCH_ONLY ?? 'abcdefg').split(''));
const root = new URL('..', import.meta.url).pathname;

const results: Record<string, unknown> = {};
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const data = mkdtempSync(join(tmpdir(), 'patchbay-bench-'));
const postgres = await startEmbeddedPostgres({ dataDirectory: join(data, 'postgres'), say });
await migrateDatabase(postgres.url, join(root, 'drizzle'));
const database = openDatabase(postgres.url, { maxConnections: 2, name: 'bench' });
const pool: Pool = database.$client;

const environment = {
  DATABASE_URL: postgres.url,
  LOG_LEVEL: 'warn',
  AUTH_SECRET: 'bench-bench-bench-bench-bench-bench-bench',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
};

async function withServer<Result>(
  file: string,
  work: (base: string) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> {
  const port = await findFreePort();
  const child = await startChild(file, { ...environment, ...settings, PORT: String(port) });
  try {
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    await child.stop();
  }
}

const show = (name: string, load: LoadResult): void =>
  say(
    `${name.padEnd(44)} ${load.requestsPerSecond.toFixed(0).padStart(7)} req/s   p50 ${load.p50Ms.toFixed(2)} ms   ` +
      `p99 ${load.p99Ms.toFixed(2)} ms   errors ${load.errors}   (${load.generator})`,
  );

async function measure(
  key: string,
  name: string,
  url: string,
  connections: readonly number[],
): Promise<void> {
  await driveFast(url, 32, 2);
  for (const count of connections) {
    const load = await driveFast(url, count, SECONDS);
    results[`${key}_${count}`] = load;
    show(`(${key}) ${name}, ${count} connections`, load);
  }
}

const queued = async (): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from runs where status not in ('succeeded', 'failed', 'cancelled')`,
  );
  return rows[0]?.count ?? 0;
};

async function untilEmpty(): Promise<number> {
  const start = performance.now();
  while ((await queued()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  return (performance.now() - start) / 1000;
}

async function emptyTables(): Promise<void> {
  await pool.query('truncate events, runs, task_runs, run_claims');
  await pool.query('truncate graphile_worker._private_jobs');
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
}

async function fillBacklog(url: string): Promise<number> {
  while ((await queued()) < BACKLOG) await driveFast(url, 64, 1);
  return queued();
}

async function measureBacklog(url: string): Promise<void> {
  const runs = await fillBacklog(url);
  await pool.query('checkpoint');
  const started = performance.now();
  const worker = await startChild('server/worker.ts', environment);
  await untilEmpty();
  const seconds = (performance.now() - started) / 1000;
  await worker.stop();
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from task_runs');
  results.f = { runs, seconds, runsPerSecond: runs / seconds, taskRuns: rows[0]?.count };
  say(
    `(f) backlog of ${runs} runs of five tasks      ${(runs / seconds).toFixed(0).padStart(7)} runs/s   ${rows[0]?.count} task runs recorded`,
  );
}

async function measureSteady(url: string): Promise<void> {
  const worker: Child = await startChild('server/worker.ts', environment);
  await driveSteadily(url, 1000, 3);
  let best: Record<string, unknown> | undefined;
  for (const rate of STEADY_RATES) {
    await emptyTables();
    const half = await driveSteadily(url, rate, SECONDS);
    const first = await queued();
    const load = await driveSteadily(url, rate, SECONDS);
    const last = await queued();
    const reached = Math.min(half.requestsPerSecond, load.requestsPerSecond);
    const kept = reached > rate * 0.97 && last <= Math.max(first * 1.2, rate * 0.25) && load.errors === 0;
    say(
      `(g) ${rate}/s: reached ${reached.toFixed(0)}/s, p99 ${load.p99Ms.toFixed(1)} ms, ` +
        `unfinished runs ${first} then ${last}${kept ? '' : ': not kept up with'}`,
    );
    await untilEmpty();
    if (!kept) break;
    best = { rate, reached, p50Ms: load.p50Ms, p99Ms: load.p99Ms, unfinished: [first, last] };
  }
  results.g = best ?? null;
  await worker.stop();
}

const order = await insertWorkflow(pool, FIVE_TASKS);
const answered = await insertWorkflow(pool, ANSWERED);
const path = `/webhook/${order.token}`;

if (ONLY.has('a'))
  await withServer('bench/servers/constant.ts', (base) =>
    measure('a', 'bare Node http, a constant', base, [32, 128]),
  );
if (ONLY.has('b'))
  await withServer('bench/servers/three-inserts.ts', (base) =>
    measure('b', 'three inserts, group commit', base, [32, 128]),
  );
if (ONLY.has('c') || ONLY.has('f') || ONLY.has('e') || ONLY.has('g')) {
  await withServer('server/web.ts', async (base) => {
    await emptyTables();
    if (ONLY.has('c')) await measure('c', 'Patchbay immediate, its own door', base + path, [32, 128]);
    await emptyTables();
    if (ONLY.has('f')) await measureBacklog(base + path);
    await emptyTables();
    if (ONLY.has('e')) {
      const worker = await startChild('server/worker.ts', environment);
      await measure('e', 'Patchbay after workflow, four tasks', `${base}/webhook/${answered.token}`, [32]);
      await worker.stop();
    }
    if (ONLY.has('g')) await measureSteady(base + path);
  });
}
if (ONLY.has('d')) {
  await emptyTables();
  const door = { WEBHOOK_DOOR: 'next' };
  await withServer(
    'server/web.ts',
    (base) => measure('d', 'Patchbay immediate, Next route handler', base + path, [32, 128]),
    door,
  );
}

const rate = (key: string): number => (results[key] as LoadResult | undefined)?.requestsPerSecond ?? NaN;
const ratios = Object.fromEntries(
  ['a_32', 'c_32', 'd_32', 'e_32', 'a_128', 'c_128', 'd_128'].map((key) => [
    key,
    rate(key) / rate(`b_${key.split('_')[1]}`),
  ]),
);
for (const [key, ratio] of Object.entries(ratios)) say(`ratio of (${key}) to (b): ${ratio.toFixed(2)}`);

const machine = {
  cores: cpus().length,
  model: cpus()[0]?.model,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
mkdirSync(join(root, 'bench/results'), { recursive: true });
const file = join(root, 'bench/results', ONLY.size === 7 ? 'webhooks.json' : 'local-webhooks.json');
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date().toISOString(), machine, seconds: SECONDS, results, ratios }, null, 2)}\n`,
);
say(`written to ${file}`);

await database.$client.end();
await postgres.stop();
process.exit(0);

// `npm run bench:fairness`: how long runs of a workspace wait behind BENCH_RUNS (100000) queued runs of another one, and what it costs that
// one. Once with runs that a worker ends at once, once with runs whose task takes BENCH_TASK_MS (5000), which fill the worker.
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { instantTasks } from '#lib/tasks/instant-tasks.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { readFamilySeconds } from '#lib/testing/process-times.ts';
import { webhookRuntime } from '#lib/webhooks/runtime.ts';
import { describeMachine } from './machine.ts';
import { startOwnDatabase } from './own-database.ts';
import { FIVE_TASKS, oneTask } from './workflows.ts';

const numberOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const RUNS = numberOf('BENCH_RUNS', 100_000);
/** Runs that one job advances: those of webhooks that arrive together share one. */
const RUNS_A_JOB = numberOf('BENCH_RUNS_A_JOB', 1);
const TASK_MS = numberOf('BENCH_TASK_MS', 5000);
/** Webhooks of the workspace with little work. */
const PROBES = numberOf('BENCH_PROBES', 40);
const PROBE_EVERY_MS = 100;
const FILL_AT_ONCE = 1000;
const WORKERS = numberOf('BENCH_WORKERS', 1);
const BOUND_MS = 1000;
const PATIENCE_MS = 120_000;
const BODY = Buffer.from(
  JSON.stringify({ id: 'order 1', total: 184.35, customer: { name: 'Sample Customer', vip: true } }),
);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const logger = pino({ level: 'silent' });

const database = await startOwnDatabase('fairness', { isDurable: true });
const settings = parseSettings({ DATABASE_URL: database.url, FIRST_LEG: 'off' });
const runtime = openRuntime('web', settings, logger);
const webhooks = webhookRuntime(runtime, { instantTasks });
const pool = runtime.hot;

/** As of webhooks that arrived one after another. */
const FILL = `
with made as (
  select n, gen_random_uuid() as run_id, gen_random_uuid() as event_id, now() + n * interval '1 microsecond' as at
  from generate_series(1, $4::int) n
), new_events as (
  insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
  select event_id, $1, $2, 'production', 'triggered', at, '{"content-type":"application/json"}', $3, run_id from made
), new_runs as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, created_at)
  select run_id, $1, $2, 1, event_id, at from made
), jobs as (
  select ${addAdvanceJob('json_agg(run_id)', { runAt: 'min(at)', workspaceId: '$1::uuid' })} as job from made group by (n - 1) / $5::int
)
select count(job) from jobs`;

async function fill({ workspaceId, workflowId }: InsertedWorkflow): Promise<void> {
  for (let left = RUNS; left > 0; left -= FILL_AT_ONCE)
    await pool.query(FILL, [workspaceId, workflowId, BODY, Math.min(left, FILL_AT_ONCE), RUNS_A_JOB]);
}

async function send(token: string): Promise<void> {
  const { status } = await webhooks.receive({
    kind: 'production',
    token,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    declaredBytes: BODY.byteLength,
    readBody: async (collect) => collect(BODY),
  });
  if (status !== 200) throw new Error(`A webhook was answered with ${status}.`);
}

const startWorkers = () =>
  Promise.all(
    Array.from({ length: WORKERS }, () =>
      startWorker({
        pools: { engine: pool, vital: runtime.vital },
        recurring: NOTHING_RECURS,
        findExecutor: (type) =>
          type === 'http_request'
            ? {
                hasSideEffect: () => true,
                ifInterrupted: () => 'flag',
                async execute() {
                  await wait(TASK_MS);
                  return { kind: 'done', output: {}, runText: 'Done.' };
                },
              }
            : findExecutor(type),
        renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
        clock: runtime.clock,
        logger,
        maxRuns: settings.WORKER_CONCURRENCY,
      }),
    ),
  );

const countOf = async ({ workflowId }: InsertedWorkflow, condition: string): Promise<number> => {
  const text = `select count(*)::int as count from runs where workflow_id = $1 and ${condition}`;
  return (await pool.query<{ count: number }>(text, [workflowId])).rows[0]?.count ?? 0;
};

/** How long the runs of a workflow took from their webhook to their end, in order of that. */
async function readTimes({ workflowId }: InsertedWorkflow): Promise<number[]> {
  const text = `select (extract(epoch from finished_at - created_at) * 1000)::float8 as ms from runs where workflow_id = $1 order by 1`;
  return (await pool.query<{ ms: number }>(text, [workflowId])).rows.map(({ ms }) => ms);
}

const readSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readFamilySeconds(database.postgres.pid);
};

/** @returns whether all runs of the other workspace ended within the bound */
async function measure(name: string, graph: WorkflowGraph, isDrained: boolean): Promise<boolean> {
  await pool.query('truncate events, runs, task_runs, graphile_worker._private_jobs');
  const [busy, other] = [await insertWorkflow(pool, graph), await insertWorkflow(pool, FIVE_TASKS)];
  await fill(busy);
  await pool.query('vacuum analyze');
  const startedAtMs = performance.now();
  const secondsBefore = readSeconds();
  const workers = await startWorkers();
  let sent = 0;
  for (; sent < PROBES; sent += 1) {
    await send(other.token);
    await wait(PROBE_EVERY_MS);
  }
  const left = await countOf(busy, `status = 'queued'`);
  const isOver = async (): Promise<boolean> =>
    (await countOf(other, 'finished_at is null')) === 0 &&
    (!isDrained || (await countOf(busy, 'finished_at is null')) === 0);
  while (!(await isOver()) && performance.now() - startedAtMs < PATIENCE_MS) await wait(100);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const spent = readSeconds() - secondsBefore;
  // What the busy workspace has left is not awaited.
  await pool.query('truncate graphile_worker._private_jobs');
  await Promise.all(workers.map((worker) => worker.stop()));
  const times = await readTimes(other);
  const most = times.at(-1) ?? Infinity;
  const isFair = times.length === PROBES && times.every((ms) => ms > 0 && ms < BOUND_MS);
  say(
    `${name}: ${times.length} runs of the other workspace took ${times[Math.floor(times.length / 2)]?.toFixed(0)} ms (median), ${most.toFixed(0)} ms (most); ` +
      `${left} of ${RUNS} were queued after the last one arrived` +
      (isDrained
        ? `; all ended after ${seconds.toFixed(1)} s, ${((spent * 1e6) / RUNS).toFixed(0)} µs of processor time each`
        : ''),
  );
  if (left === 0) say('  Nothing was queued any more: more runs are needed (BENCH_RUNS).');
  return isFair && left > 0;
}

try {
  const { cores, load = 0 } = describeMachine();
  say(
    `${RUNS} queued runs, ${RUNS_A_JOB} a job, ${WORKERS} workers, ${cores} cores, load ${load.toFixed(1)}`,
  );
  const quick = await measure('runs that end at once', FIVE_TASKS, true);
  const slow = await measure(`runs with a task of ${TASK_MS} ms`, oneTask('http_request', {}), false);
  if (!quick || !slow) process.exitCode = 1;
} finally {
  await webhooks.close();
  await runtime.close();
  await database.stop();
}

// `npm run bench:retention`: how long retention takes over a large history, and its cost to webhooks at the same time. BENCH_RUNS
// (200000) says how many runs there are, BENCH_RATE (50) how many webhooks a second arrive.
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, openHotPool, type Pool } from '#lib/core/db/client.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { makeArrival } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { removeDue } from '#lib/workflows/retention/remove-due.ts';
import { FILLED_BODY, FILLED_TASK_RUNS, fillRuns } from './fill-runs.ts';
import { withDatabase } from './own-database.ts';

const RUNS = Number(process.env.BENCH_RUNS ?? 200_000);
const RATE = Number(process.env.BENCH_RATE ?? 50);
const ALONE_MS = 20_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

await withDatabase({ name: 'retention', isDurable: true }, async (url) => {
  const { $client: pool } = openDatabase(url, { maxConnections: 4, name: 'bench-retention' });
  const hot = openHotPool(url, { maxConnections: 4, name: 'bench-retention-hot' });
  const graph = { tasks: [{ id: 1, type: 'inbound_webhook', name: 'Start', settings: {} }], edges: [] };
  const { workspaceId, workflowId, token } = await insertWorkflow(pool, graph);
  say(`filling ${RUNS} runs with ${FILLED_TASK_RUNS} task runs and an event each`);
  await fillRuns(pool, { workspaceId, workflowId }, RUNS, { fromDays: 120, days: 80 });
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  const alone = startWebhooks(hot, token);
  await pause(ALONE_MS);
  say(`webhooks alone: ${describe(await alone.stop())}`);
  await retain(pool, hot, { workspaceId, token }, 'contents', 'bodies_days');
  await retain(pool, hot, { workspaceId, token }, 'runs', 'runs_days');
  await Promise.all([pool.end(), hot.end()]);
});

async function retain(
  pool: Pool,
  hot: Pool,
  { workspaceId, token }: { workspaceId: string; token: string },
  what: string,
  column: string,
): Promise<void> {
  await pool.query(
    `insert into retention_settings (workspace_id, ${column}) values ($1, 30)
     on conflict (workspace_id) do update set ${column} = 30`,
    [workspaceId],
  );
  const webhooks = startWebhooks(hot, token);
  const since = performance.now();
  while (await removeDue({ pool })) await pause(100);
  const seconds = (performance.now() - since) / 1000;
  const latencies = await webhooks.stop();
  say(
    `${what}: ${RUNS} runs in ${seconds.toFixed(1)} s, ${Math.round(RUNS / seconds)} a second; webhooks: ${describe(latencies)}`,
  );
}

/** Webhooks at a steady rate, until it is stopped. @returns how long each took to be committed, in milliseconds */
function startWebhooks(hot: Pool, token: string): { stop: () => Promise<number[]> } {
  const intake = createIntake(hot);
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  const send = async (): Promise<void> => {
    const since = performance.now();
    const headers = { 'content-type': 'application/json' };
    await intake(makeArrival(token, { headers, body: Buffer.from(FILLED_BODY) }));
    latencies.push(performance.now() - since);
  };
  const timer = setInterval(() => pending.push(send()), 1000 / RATE);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      return latencies;
    },
  };
}

function describe(latencies: readonly number[]): string {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
  return `${sorted.length} at ${RATE} a second, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.99999)} ms`;
}

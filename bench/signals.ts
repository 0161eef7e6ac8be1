// `npm run bench:signals`: the time from a signal to the next execution of the task that waits for it, with many other waiting
// runs. BENCH_WAITING (10000) runs wait, BENCH_SIGNALS (400) signals arrive one after another.
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { openHotPool } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { deliverSignals } from '#lib/engine/store/deliver-signals.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { describeMachine } from './machine.ts';
import { withDatabase } from './own-database.ts';

const WAITING = Number(process.env.BENCH_WAITING ?? 10_000);
const SIGNALS = Number(process.env.BENCH_SIGNALS ?? 400);
const AT_ONCE = 200;
const HOUR_MS = 3_600_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const heard = new Map<string, (atMs: number) => void>();
/** Waits like a question that may be repeated: its wait stays open until it is executed. */
const ask: TaskExecutor = {
  async execute(context) {
    const key = `customer-${context.runId}`;
    if (context.resumed) {
      heard.get(context.runId)?.(performance.now());
      await context.resumed.stopListening();
      return { kind: 'done', output: null, runText: 'Answered.' };
    }
    context.listen({ key, quietMs: 1 });
    await context.recordWait();
    const until = new Date(context.now.getTime() + HOUR_MS);
    return { kind: 'listen', until, keepsListening: true, memory: null, output: {}, runText: 'Asked.' };
  },
};

await withDatabase({ name: 'signals', isDurable: true }, async (url) => {
  const pool = openHotPool(url, { maxConnections: 4, name: 'bench-signals' });
  const logger = pino({ level: 'silent' });
  const runtime = openRuntime('worker', parseSettings({ DATABASE_URL: url }), logger);
  const worker = await startWorker({
    pools: runtime,
    recurring: NOTHING_RECURS,
    findExecutor: () => ask,
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    clock: runtime.clock,
    logger,
    maxRuns: 100,
  });
  const graph = {
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'ask', name: 'Ask', settings: {} },
    ],
    edges: [{ from: 1, to: 2 }],
  };
  const { token, workspaceId } = await insertWorkflow(pool, graph);
  const intake = createIntake(pool);
  const runIds: string[] = [];
  while (runIds.length < WAITING)
    runIds.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => startRun(intake, token, {})))));
  const count = `select count(*)::int as waiting from signal_waits w join runs r on r.id = w.run_id and r.status = 'waiting'`;
  while ((await pool.query<{ waiting: number }>(count)).rows[0]?.waiting !== runIds.length) await wait(200);
  await pool.query('analyze');
  const { cores, load = 0 } = describeMachine();

  const times: number[] = [];
  const step = Math.floor(runIds.length / SIGNALS);
  for (const runId of runIds.filter((_, place) => place % step === 0).slice(0, SIGNALS)) {
    const isHeard = new Promise<number>((resolve) => heard.set(runId, resolve));
    const startedMs = performance.now();
    const signal = { workspaceId, keys: [`customer-${runId}`], id: newId(), payload: '{}' };
    await deliverSignals(pool, [signal]);
    times.push((await isHeard) - startedMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  say(
    `${times.length} signals with ${runIds.length} runs waiting: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms ` +
      `(${cores} cores, load ${load.toFixed(1)})`,
  );
  await worker.stop();
  await Promise.all([runtime.close(), pool.end()]);
});

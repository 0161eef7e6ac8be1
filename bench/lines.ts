// `npm run bench:lines`: what it costs that runs with the same value are executed one at a time. Webhooks of BENCH_VALUES (200) values go
// through the receiver to the same workflow with and without `order_by`, in alternation: BENCH_WEBHOOKS (4000) in each of BENCH_ROUNDS (5).
// Then by HTTP: BENCH_SENT (50000) with and without it, and once more while processes are killed, at most BENCH_KILLS (30) times.
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { instantTasks } from '#lib/tasks/instant-tasks.ts';
import { readFamilySeconds } from '#lib/testing/process-times.ts';
import { webhookRuntime, type WebhookRuntime } from '#lib/webhooks/runtime.ts';
import { insertOrdered, type OrderFigures, playByHttp } from './lines/by-http.ts';
import { describeMachine } from './machine.ts';
import { startOwnDatabase } from './own-database.ts';
import { median } from './webhooks/measure.ts';

const VALUES = Number(process.env['BENCH_VALUES'] ?? 200);
const WEBHOOKS = Number(process.env['BENCH_WEBHOOKS'] ?? 4000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CALLERS = 64;
const SENT = Number(process.env['BENCH_SENT'] ?? 50_000);
const KILLS = Number(process.env['BENCH_KILLS'] ?? 30);
const ROUNDS_BY_HTTP = 3;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const logger = pino({ level: 'silent' });

const database = await startOwnDatabase('lines', { isDurable: true });
const open = (FIRST_LEG: string) => {
  const settings = { DATABASE_URL: database.url, FIRST_LEG, WEBHOOK_RATE_PER_SECOND: '100000' };
  const runtime = openRuntime('web', parseSettings(settings), logger);
  return { runtime, webhooks: webhookRuntime(runtime, { instantTasks }) };
};
const [queued, withLegs] = [open('off'), open('on')];
const pool = queued.runtime.hot;

/** Some callers send one webhook after another. */
async function send(webhooks: WebhookRuntime, token: string): Promise<void> {
  let sent = 0;
  const call = async (): Promise<void> => {
    while (sent < WEBHOOKS) {
      sent += 1;
      const body = {
        id: `order ${sent % VALUES}`,
        total: 184.35,
        customer: { name: 'Sample Customer', vip: true },
      };
      const bytes = Buffer.from(JSON.stringify(body));
      const { status } = await webhooks.receive({
        kind: 'production',
        token,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        declaredBytes: bytes.byteLength,
        readBody: async (collect) => collect(bytes),
      });
      if (status !== 200) throw new Error(`A webhook was answered with ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

async function execute(): Promise<void> {
  const worker = await startWorker({
    pools: { engine: pool, vital: pool },
    recurring: NOTHING_RECURS,
    findExecutor,
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    clock: queued.runtime.clock,
    logger,
    maxRuns: 100,
  });
  const left = `select from runs where ${isOpenRunSql('status')} limit 1`;
  while ((await pool.query(left)).rowCount !== 0) await wait(20);
  await worker.stop();
}

/** Microseconds of processor time of this process and PostgreSQL for a webhook. */
async function measure(work: () => Promise<void>): Promise<number> {
  const read = (): number => {
    const { user, system } = process.cpuUsage();
    return user + system + readFamilySeconds(database.postgres.pid) * 1e6;
  };
  const before = read();
  await work();
  return (read() - before) / WEBHOOKS;
}

const report = (what: string, unit: string, plain: number, ordered: number): void =>
  say(
    `${what.padEnd(30)} unordered ${plain.toFixed(0)} ${unit}, ordered ${ordered.toFixed(0)} ${unit} (${((ordered / plain - 1) * 100).toFixed(0)}%)`,
  );

async function measureByHttp(): Promise<void> {
  const sent = { webhooks: SENT, values: VALUES };
  const [plain, ordered]: [OrderFigures[], OrderFigures[]] = [[], []];
  for (let round = 0; round < ROUNDS_BY_HTTP; round += 1) {
    plain.push(await playByHttp(database, pool, { ...sent, orderBy: '', kills: 0 }));
    ordered.push(await playByHttp(database, pool, { ...sent, orderBy: '{{id}}', kills: 0 }));
  }
  const of = (figures: readonly OrderFigures[], name: 'perSecond' | 'microseconds'): number =>
    median(figures.map((each) => each[name]));
  report('by HTTP, executed', 'a second', of(plain, 'perSecond'), of(ordered, 'perSecond'));
  report('by HTTP', 'µs', of(plain, 'microseconds'), of(ordered, 'microseconds'));
  const { kills, runs } = await playByHttp(database, pool, { ...sent, orderBy: '{{id}}', kills: KILLS });
  say(`${SENT} by HTTP with ${kills} kills: ${runs} runs, each value in order, one at a time`);
}

try {
  const tokens = {
    unordered: (await insertOrdered(pool, '')).token,
    ordered: (await insertOrdered(pool, '{{id}}')).token,
  };
  const steps = ['stored for the workers', 'executed by a worker', 'stored with their first leg'] as const;
  const found = new Map<string, number[]>();
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, token] of Object.entries(tokens)) {
      const measured = [
        await measure(() => send(queued.webhooks, token)),
        await measure(execute),
        await measure(() => send(withLegs.webhooks, token)),
      ];
      await pool.query('truncate events, runs, task_runs, run_lines');
      // The first round warms up.
      if (round < 0) continue;
      for (const [at, step] of steps.entries()) {
        const key = `${step}, ${name}`;
        found.set(key, [...(found.get(key) ?? []), measured[at] ?? 0]);
      }
    }
  }
  for (const step of steps) {
    const [plain, ordered] = ['unordered', 'ordered'].map((name) =>
      median(found.get(`${step}, ${name}`) ?? []),
    );
    report(step, 'µs', plain ?? NaN, ordered ?? NaN);
  }
  await measureByHttp();
  const { cores, load = 0 } = describeMachine();
  say(`${ROUNDS} rounds of ${WEBHOOKS} webhooks, ${VALUES} values, ${cores} cores, load ${load.toFixed(1)}`);
} finally {
  for (const { runtime, webhooks } of [queued, withLegs]) {
    await webhooks.close();
    await runtime.close();
  }
  await database.stop();
}

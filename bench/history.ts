// `npm run bench:history`: what ten million runs with forty million task runs mean for webhooks, runs, lists, pages and retention.
// BENCH_RUNS (10000000), BENCH_SECONDS (10), BENCH_ROUNDS (3), BENCH_CALLS (100) and BENCH_RATE (50) make it shorter; TEST_POSTGRES
// chooses the PostgreSQL.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#lib/core/ids.ts';
import { signIn } from '../server/testing/authorization-client.ts';
import { customerCases, listCases } from '../server/testing/list-cases.ts';
import { insertAuditEntries, insertCustomers } from '../server/testing/skewed-history.ts';
import { type Figures, figuresOf, measure } from './customers/measure.ts';
import { type Filled, fillHistory } from './history/fill.ts';
import { describeWebhooks, measureWebhooks, type WebhookFigures } from './history/measure-webhooks.ts';
import { measureRetention } from './history/retain.ts';
import { type Installation, startInstallation } from './history/start.ts';
import { describeMachine } from './machine.ts';
import { ACCOUNT } from './pages/seed.ts';

const number = (name: string, standard: number): number => Number(process.env[name] ?? standard);
const RUNS = number('BENCH_RUNS', 10_000_000);
const SECONDS = number('BENCH_SECONDS', 10);
const ROUNDS = number('BENCH_ROUNDS', 3);
const CALLS = number('BENCH_CALLS', 100);
const RATE = number('BENCH_RATE', 50);
const LIMIT = 100;
const BUDGET_MS = { p50: 150, p99: 300 };
/** Of webhooks beside retention. */
const BESIDE_MS = 60;
/** How much more a webhook may cost beside a history. */
const MOST_MORE = 1.1;
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const misses: string[] = [];

const installation = await startInstallation(say);
try {
  const { rows } = await installation.ctx.db.$client.query<{ server_version: string }>('show server_version');
  const postgres = rows[0]?.server_version;
  say(`PostgreSQL ${postgres}, without a history:`);
  const options = { seconds: SECONDS, rounds: ROUNDS, say };
  const empty = await measureWebhooks(installation, options);
  const filled = await fillHistory(installation.ctx, { runs: RUNS, say });
  say('with it:');
  const full = await measureWebhooks(installation, options);
  compareWebhooks(empty, full);
  const lists = await measureLists(installation, filled);
  const pages = await measurePages(installation, filled);
  const retention = await measureRetention(installation, {
    days: filled.days,
    rate: RATE,
    aloneSeconds: SECONDS * 2,
  });
  const { plain, alone } = retention;
  say(
    `retention: ${retention.runs} runs in ${retention.seconds.toFixed(0)} s; ${RATE} webhooks a second beside it: ` +
      `p50 ${plain.p50Ms.toFixed(1)} ms, p99 ${plain.p99Ms.toFixed(1)} ms, ${plain.errors} errors; alone p99 ${alone.p99Ms.toFixed(1)} ms`,
  );
  if (plain.p99Ms > BESIDE_MS || plain.errors > 0) misses.push('webhooks beside retention');
  write({ postgres, runs: RUNS, bytesEach: filled.bytesEach, empty, full, lists, pages, retention });
} finally {
  await installation.stop();
}
if (misses.length > 0) {
  say(`over the budget: ${misses.join(', ')}`);
  process.exitCode = 1;
}

function compareWebhooks(empty: WebhookFigures, full: WebhookFigures): void {
  say(`without: ${describeWebhooks(empty)}`);
  say(`with:    ${describeWebhooks(full)}`);
  for (const name of ['storedMicroseconds', 'executedMicroseconds'] as const)
    if (full[name] > empty[name] * MOST_MORE) misses.push(name);
}

/** Every list, filter and search of screens and API. */
async function measureLists({ ctx }: Installation, history: Filled): Promise<Record<string, Figures>> {
  const { $client: pool } = ctx.db;
  const customerId = await insertCustomers(ctx, { workspaceId: newId() }, RUNS / 20);
  await insertAuditEntries(ctx, RUNS / 10);
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  const figures: Record<string, Figures> = {};
  sayHeading('milliseconds of a list');
  for (const { name, run } of [...listCases(ctx, history, LIMIT), ...customerCases(ctx, customerId, LIMIT)])
    figures[name] = report(name, await figuresOf(() => timeOf(run), CALLS));
  return figures;
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/** As members and programs call them, by HTTP. */
async function measurePages(
  { product, ctx }: Installation,
  { busyIds, endMs }: Filled,
): Promise<Record<string, Figures>> {
  const web = await product.start('web');
  try {
    const cookie = (await signIn(web.base, ACCOUNT.email, ACCOUNT.password)).toString();
    const { rows } = await ctx.db.$client.query<{ id: string; event_id: string }>(
      'select id, event_id from runs where workflow_id = $1 and created_at < $2 order by id desc limit 1',
      [busyIds[0], new Date(endMs)],
    );
    const [run] = rows;
    const paths = {
      workflows: '/workflows',
      'a workflow': `/workflows/${busyIds[0]}`,
      runs: '/runs',
      'a run': `/runs/${run?.id}`,
      events: '/events',
      'an event': `/events/${run?.event_id}`,
      reports: '/reports',
      retention: '/settings/retention',
      health: '/settings/health',
      'runs, API': '/api/v1/runs?limit=100',
      'a run, API': `/api/v1/runs/${run?.id}`,
      'events, API': '/api/v1/events?limit=100',
      'workflows, API': '/api/v1/workflows',
    };
    const figures: Record<string, Figures> = {};
    sayHeading('milliseconds of a page, by HTTP');
    for (const [name, path] of Object.entries(paths))
      figures[name] = report(
        name,
        await measure({ name, path: () => path }, { base: web.base, cookie, calls: CALLS }),
      );
    return figures;
  } finally {
    await web.stop();
  }
}

function sayHeading(what: string): void {
  say(`${what.padEnd(60)}${['first', 'p50', 'p99', 'slowest'].map((each) => each.padStart(9)).join('')}`);
}

function report(name: string, figures: Figures): Figures {
  const { first, p50, p99, slowest } = figures;
  const isOver = p50 > BUDGET_MS.p50 || p99 > BUDGET_MS.p99;
  if (isOver) misses.push(name);
  const cells = [first, p50, p99, slowest].map((ms) => ms.toFixed(1).padStart(9)).join('');
  say(`${name.padEnd(60)}${cells}${isOver ? '  over the budget' : ''}`);
  return figures;
}

function write(measured: { postgres: string | undefined } & Record<string, unknown>): void {
  const major = measured.postgres?.split('.')[0];
  const file = RUNS >= 10_000_000 && CALLS >= 100 ? `history-${major}.json` : 'local-history.json';
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const written = { at: new Date().toISOString(), machine: describeMachine(), ...measured };
  writeFileSync(join(root, 'bench/results', file), `${JSON.stringify(written, null, 2)}\n`);
  say(`written to bench/results/${file}`);
}

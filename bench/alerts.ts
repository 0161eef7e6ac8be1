// `npm run bench:alerts`: the duration of each statement that finds, writes, lists and removes alerts, over a large and skewed
// history, with statistics that are missing and fresh. BENCH_EVENTS (1000000), BENCH_WORKFLOWS (500) and BENCH_ALERTS (100000)
// make it shorter.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { createWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { type Explained, explainWork } from '#lib/testing/explain.ts';
import { type AlertCase, alertCases, GROWING_TABLES } from '../server/testing/alert-cases.ts';
import { insertAlertHistory } from '../server/testing/alert-history.ts';
import { createSkewedWorkflows, insertHistory } from '../server/testing/skewed-history.ts';
import { describeMachine } from './machine.ts';
import { withDatabase } from './own-database.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const WORKFLOWS = Number(process.env.BENCH_WORKFLOWS ?? 500);
const ALERTS = Number(process.env.BENCH_ALERTS ?? 100_000);
const CONNECTIONS = 200;
/** Age of the newest event, so that workflows are silent. */
const SILENT_MS = 3 * 3_600_000;
const STEP_MS = 100;
const CHUNK = 100_000;
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The totals of one statement over all its executions. */
interface Figures {
  times: number;
  slowestMs: number;
  totalMs: number;
  buffers: number;
  scanned: string[];
}

await withDatabase({ name: 'alerts', isDurable: false }, async (url) => {
  const db = openDatabase(url, { maxConnections: 4, name: 'bench-alerts' });
  await measureAll(db);
  await db.$client.end();
});

async function measureAll(db: ActorContext['db']): Promise<void> {
  const ctx = await createContext(db);
  const runtime = {
    ...ctx,
    // Nothing listens there: mails are attempted, and retried later.
    settings: parseSettings({
      DATABASE_URL: 'postgres://unused',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'patchbay@example.com',
    }),
    logger: pino({ level: 'silent' }),
  };
  say(`filling ${EVENTS} events and their runs, ${WORKFLOWS} workflows and ${ALERTS} alerts`);
  const workflowIds = await fill(ctx);
  const figures: Record<string, Record<string, Record<string, Figures>>> = {};
  for (const state of ['none', 'fresh']) {
    if (state === 'fresh') await db.$client.query('analyze');
    for (const each of alertCases(runtime, workflowIds))
      (figures[each.name] ??= {})[state] = await measure(db, each);
  }
  report(figures);
}

async function createContext(db: ActorContext['db']): Promise<ActorContext> {
  const userId = newId();
  await db.$client.query('insert into users (id, email) values ($1, $2)', [userId, 'owner@example.com']);
  const { id: workspaceId } = await createWorkspace(db, { name: 'Bench', userId });
  const secrets = createSecretBox(`k1:${randomBytes(32).toString('base64')}`);
  return { db, workspaceId, actor: userId, secrets, baseUrl: 'http://localhost' };
}

/** @returns the ids of all workflows */
async function fill(ctx: ActorContext): Promise<string[]> {
  const tables = [...GROWING_TABLES, 'workflows', 'connections'];
  for (const table of tables)
    await ctx.db.$client.query(`alter table ${table} set (autovacuum_enabled = false)`);
  const startMs = Date.now() - SILENT_MS - EVENTS * STEP_MS;
  const { busyIds, quietIds } = await createSkewedWorkflows(ctx, WORKFLOWS);
  // The first ten events of each quiet workflow.
  const quiet = Math.min(EVENTS, 10 * WORKFLOWS);
  await insertHistory(ctx, { workflowIds: quietIds, first: 1, last: quiet, startMs });
  for (let first = quiet + 1; first <= EVENTS; first += CHUNK)
    await insertHistory(ctx, {
      workflowIds: busyIds,
      first,
      last: Math.min(first + CHUNK - 1, EVENTS),
      startMs,
    });
  await insertAlertHistory(ctx, { alerts: ALERTS, states: ALERTS / 5, connections: CONNECTIONS });
  return [...busyIds, ...quietIds];
}

async function measure(
  db: ActorContext['db'],
  { prepare, run }: AlertCase,
): Promise<Record<string, Figures>> {
  await prepare();
  const explained = await explainWork(db.$client, run);
  const byText: Record<string, Figures> = {};
  for (const each of explained) add((byText[shorten(each)] ??= emptyFigures()), each);
  return byText;
}

function emptyFigures(): Figures {
  return { times: 0, slowestMs: 0, totalMs: 0, buffers: 0, scanned: [] };
}

function add(figures: Figures, { milliseconds, reads, scanned }: Explained): void {
  figures.times += 1;
  figures.totalMs += milliseconds;
  figures.slowestMs = Math.max(figures.slowestMs, milliseconds);
  figures.buffers = Math.max(figures.buffers, reads.buffers);
  figures.scanned = [
    ...new Set([...figures.scanned, ...scanned.filter((table) => GROWING_TABLES.includes(table))]),
  ];
}

function shorten({ text }: Explained): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 110);
}

function report(figures: Record<string, Record<string, Record<string, Figures>>>): void {
  for (const [name, states] of Object.entries(figures))
    for (const [state, statements] of Object.entries(states)) {
      const all = Object.values(statements);
      const [times, total] = [all.map((each) => each.times), all.map((each) => each.totalMs)].map((each) =>
        each.reduce((sum, one) => sum + one, 0),
      );
      say(`\n${name}, statistics ${state}: ${times} statements, ${total?.toFixed(0)} ms`);
      const slowest = Object.entries(statements).toSorted(([, a], [, b]) => b.totalMs - a.totalMs);
      for (const [text, { times: count, slowestMs, totalMs, buffers, scanned }] of slowest.slice(0, 8))
        say(
          `  ${String(count).padStart(5)} × ${slowestMs.toFixed(1).padStart(8)} ms at most, ${totalMs.toFixed(0).padStart(6)} in all, ${String(buffers).padStart(7)} pages  ${text}${scanned.length > 0 ? `  SCANS ${scanned.join(', ')}` : ''}`,
        );
    }
  const isWhole = EVENTS >= 1_000_000 && ALERTS >= 100_000 && WORKFLOWS >= 500;
  const file = isWhole ? 'alerts.json' : 'local-alerts.json';
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const machine = describeMachine();
  const size = { events: EVENTS, workflows: WORKFLOWS, alerts: ALERTS, connections: CONNECTIONS };
  const written = { at: new Date().toISOString(), machine, ...size, figures };
  writeFileSync(join(root, 'bench/results', file), `${JSON.stringify(written, null, 2)}\n`);
  say(`\nwritten to bench/results/${file}`);
}

// `npm run bench:lists`: the duration of every list, filter and search over a large and skewed history, with statistics that
// are fresh, wrong and missing. BENCH_EVENTS (1000000) and BENCH_ONLY (part of a list's name) make it shorter. With BENCH_FULL_TEXT=1
// only searches, of bodies like those of a shop, without and with full text.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { createWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { newId } from '#lib/core/ids.ts';
import { customerCases, listCases, type ListedHistory } from '../server/testing/list-cases.ts';
import {
  createSkewedWorkflows,
  endOfHistory,
  insertAuditEntries,
  insertCustomers,
  insertHistory,
} from '../server/testing/skewed-history.ts';
import { measureFullText, SHOP_BODY } from './lists/full-text.ts';
import { describeMachine } from './machine.ts';
import { withDatabase } from './own-database.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const ONLY = process.env.BENCH_ONLY ?? '';
const IS_FULL_TEXT = process.env.BENCH_FULL_TEXT === '1';
const QUIET_WORKFLOWS = 100;
/** The events of the quiet workflows, which are the oldest: the wrong statistics are gathered over them. */
const QUIET_EVENTS = 2000;
const CHUNK = 100_000;
const TIMES = 5;
const LIMIT = 100;
const BUDGET_MS = 150;
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const INSERT_DAYS = `
insert into message_days (workspace_id, day, is_frozen, phone_number_id, kind, template_name, workflow_id, accepted, sent, delivered,
  read, failed, failures, categories, answered, answer_times)
select $1, $2::date - d, false, 'number ' || n % 3, 'template', 'template ' || n, ($3::uuid[])[n % cardinality($3::uuid[]) + 1], 685, 650,
  650, 450, 35, '{"131026": 30, "131049": 5}', '{"marketing": 400, "utility": 250}', 100, '{"3": 20, "7": 20, "11": 30, "19": 30}'
from generate_series(0, 365) d, generate_series(1, 40) n`;

await withDatabase({ name: 'lists', isDurable: false }, async (url) => {
  const db = openDatabase(url, { maxConnections: 2, name: 'bench-lists' });
  await measureAll(db);
  await db.$client.end();
});

async function measureAll(db: ActorContext['db']): Promise<void> {
  const { $client: pool } = db;
  const ctx = await createContext(db);
  say(`filling ${EVENTS} events and their runs`);
  const history = await fill(ctx);
  if (IS_FULL_TEXT) {
    await pool.query('analyze');
    const measured = await measureFullText(ctx, history, { events: EVENTS, say });
    write(EVENTS >= 3_000_000 ? 'full-text.json' : 'local-full-text.json', measured);
    return;
  }
  const customerId = await insertCustomers(ctx, { workspaceId: newId() }, EVENTS / 20);
  const figures: Record<string, Record<string, number>> = {};
  const states: [string, () => Promise<unknown>][] = [
    ['wrong', () => Promise.resolve()],
    ['fresh', () => pool.query('analyze')],
    ['none', () => forgetStatistics(pool)],
  ];
  for (const [state, prepare] of states) {
    await prepare();
    for (const { name, run } of [
      ...listCases(ctx, history, LIMIT),
      ...customerCases(ctx, customerId, LIMIT),
    ]) {
      if (!name.includes(ONLY)) continue;
      const took = await measure(run);
      (figures[name] ??= {})[state] = took;
    }
    const slowest = Math.max(...Object.values(figures).map((each) => each[state] ?? 0));
    say(`statistics: ${state}, slowest ${slowest.toFixed(0)} ms`);
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

/** The quiet workflows' events, statistics, and only then the busy ones', as a bulk load leaves them. */
async function fill(ctx: ActorContext): Promise<ListedHistory> {
  const { $client: pool } = ctx.db;
  for (const table of ['events', 'runs', 'audit_entries'])
    await pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
  // It ends before now.
  const startMs = Math.floor((Date.now() - endOfHistory(0, EVENTS)) / 86_400_000) * 86_400_000;
  const body = IS_FULL_TEXT ? { body: SHOP_BODY } : {};
  const workflows = await createSkewedWorkflows(ctx, QUIET_WORKFLOWS);
  await insertHistory(ctx, {
    workflowIds: workflows.quietIds,
    first: 1,
    last: QUIET_EVENTS,
    startMs,
    ...body,
  });
  await pool.query('analyze');
  for (let first = QUIET_EVENTS + 1; first <= EVENTS; first += CHUNK) {
    const last = Math.min(first + CHUNK - 1, EVENTS);
    await insertHistory(ctx, { workflowIds: workflows.busyIds, first, last, startMs, ...body });
  }
  await insertAuditEntries(ctx, EVENTS / 10);
  await insertMessageDays(ctx, {
    endMs: endOfHistory(startMs, EVENTS),
    workflowIds: workflows.busyIds,
  });
  return { ...workflows, startMs, endMs: endOfHistory(startMs, EVENTS) };
}

/** The counts of a year of ten million messages, of 40 templates: reports read nothing else. */
async function insertMessageDays(
  { db, workspaceId }: ActorContext,
  { endMs, workflowIds }: { endMs: number; workflowIds: readonly string[] },
): Promise<void> {
  await db.$client.query(INSERT_DAYS, [workspaceId, new Date(endMs), workflowIds]);
}

/** As after a restore. */
async function forgetStatistics(pool: Pool): Promise<void> {
  const ours = `(select oid from pg_class where relnamespace = 'public'::regnamespace)`;
  await pool.query(`delete from pg_statistic where starelid in ${ours}`);
  await pool.query(
    `update pg_class set reltuples = -1, relpages = 0, relallvisible = 0 where oid in ${ours}`,
  );
}

/** The slowest of several times, in milliseconds; the first is not counted, because it reads uncached data. */
async function measure(run: () => Promise<unknown>): Promise<number> {
  await run();
  let slowest = 0;
  for (let time = 0; time < TIMES; time += 1) {
    const startedAt = performance.now();
    await run();
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  return slowest;
}

function report(figures: Record<string, Record<string, number>>): void {
  say(`${''.padEnd(60)} ${['wrong', 'fresh', 'none'].map((state) => state.padStart(8)).join('')}`);
  for (const [name, states] of Object.entries(figures)) {
    const cells = ['wrong', 'fresh', 'none'].map((state) => (states[state] ?? NaN).toFixed(1).padStart(8));
    const isOver = Object.values(states).some((ms) => ms > BUDGET_MS);
    say(`${name.padEnd(60)} ${cells.join('')}${isOver ? '  over the budget' : ''}`);
  }
  const file = EVENTS >= 1_000_000 && ONLY === '' ? 'lists.json' : 'local-lists.json';
  write(file, { events: EVENTS, milliseconds: figures });
}

function write(file: string, measured: object): void {
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const written = { at: new Date().toISOString(), machine: describeMachine(), ...measured };
  writeFileSync(join(root, 'bench/results', file), `${JSON.stringify(written, null, 2)}\n`);
  say(`written to bench/results/${file}`);
}

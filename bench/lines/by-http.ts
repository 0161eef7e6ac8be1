// The same by HTTP, with web and worker processes: 50,000 webhooks with and without `order_by`, and once more with `order_by` while
// processes are killed. Then the database says whether the runs of each value were executed one at a time, in the order of arrival.
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from '#lib/core/db/client.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { readFamilySeconds } from '#lib/testing/process-times.ts';
import { memorySettings } from '../../server/launcher/environments.ts';
import { type Product, type StartedPart, startProduct } from '../../server/testing/product.ts';
import type { OwnDatabase } from '../own-database.ts';
import { makeFlow } from '../workflows.ts';

const TASKS = 5;
const POLL_MS = 50;
/** Between two kills. */
const PAUSE_MS = 400;
const RETRY_MS = 20;
const LONGEST_MS = 120_000;

/** `order_by` of the trigger; without one, an empty text. */
export async function insertOrdered(pool: Pool, orderBy: string): Promise<InsertedWorkflow> {
  const { tasks, edges } = makeFlow(TASKS, 'immediate');
  const ordered = tasks.map((task) =>
    task.type === 'inbound_webhook' ? { ...task, settings: { ...task.settings, order_by: orderBy } } : task,
  );
  return insertWorkflow(pool, { tasks: ordered, edges });
}

export interface Sent {
  webhooks: number;
  values: number;
}

export interface OrderFigures {
  /** Executed in a second, from the first webhook until the last run has ended. */
  perSecond: number;
  /** Of processor time for each, of PostgreSQL, web process and workers; NaN where they were killed. */
  microseconds: number;
  kills: number;
  runs: number;
}

interface Found {
  runs: number;
  webhooks: number;
  failed: number;
  /** Runs that began before the end of one that had arrived before. */
  misplaced: number;
}

/** First legs have the clock of the web process, in milliseconds, others that of PostgreSQL; both may be set back a little. */
const FOUND = `
with arrived as (
  select convert_from(e.body, 'UTF8')::json ->> 'id' as value, (convert_from(e.body, 'UTF8')::json ->> 'n')::int as n,
    r.status, r.started_at, r.finished_at
  from runs r join events e on e.id = r.event_id where r.workflow_id = $1
), ordered as (
  select *, lag(finished_at) over (partition by value order by n, started_at) as ended_before from arrived
)
select count(*)::int as runs, count(distinct (value, n))::int as webhooks, count(*) filter (where status <> 'succeeded')::int as failed,
  count(*) filter (where started_at < ended_before - interval '5 milliseconds')::int as misplaced
from ordered`;

/**
 * @param kills how often the web process and the workers are killed, in turn, while webhooks come in. All runs are executed by workers then,
 * so that lines are long
 * @throws Error unless every acknowledged webhook was executed once, and with `order_by` in order
 */
export async function playByHttp(
  database: OwnDatabase,
  pool: Pool,
  { orderBy, kills, webhooks, values }: Sent & { orderBy: string; kills: number },
): Promise<OrderFigures> {
  const workflow = await insertOrdered(pool, orderBy);
  const settings = { ...memorySettings(process.env), ...(kills > 0 ? { FIRST_LEG: 'off' } : {}) };
  const options = { databaseUrl: database.url, parts: [], settings, sandbox: false } as const;
  const product = await startProduct(options);
  try {
    const parts = [await product.start('web'), await product.start('worker'), await product.start('worker')];
    const cost = (): number =>
      [database.postgres.pid, ...parts.map(({ pid }) => pid)].reduce(
        (sum, pid) => sum + readFamilySeconds(pid),
        0,
      );
    const before = kills > 0 ? NaN : cost();
    const since = performance.now();
    const state = { isSending: true };
    const [killed] = await Promise.all([
      killInTurn(product, parts, kills, state),
      sendAll(`${product.base}/webhook/${workflow.token}`, { webhooks, values }).finally(() => {
        state.isSending = false;
      }),
    ]);
    await untilNothingIsOpen(pool);
    const seconds = (performance.now() - since) / 1000;
    const microseconds = ((cost() - before) * 1e6) / webhooks;
    const { rows } = await pool.query<Found>(FOUND, [workflow.workflowId]);
    const found = rows[0];
    const isOrdered = orderBy === '' || found?.misplaced === 0;
    const isOnce = found?.webhooks === webhooks && (kills > 0 || found.runs === webhooks);
    if (!isOrdered || !isOnce || found.failed > 0) throw new Error(`Found ${JSON.stringify(found)}.`);
    return { perSecond: webhooks / seconds, microseconds, kills: killed, runs: found.runs };
  } finally {
    await product.stop();
  }
}

/** One caller for each value sends one webhook after another, each until it is accepted. */
async function sendAll(url: string, { webhooks, values }: Sent): Promise<void> {
  const each = webhooks / values;
  const call = async (value: number): Promise<void> => {
    for (let n = 1; n <= each; n += 1) await sendOne(url, { id: `order ${value}`, n, total: 184.35 });
  };
  await Promise.all(Array.from({ length: values }, (_, value) => call(value)));
}

async function sendOne(url: string, order: { id: string; n: number; total: number }): Promise<void> {
  const body = JSON.stringify({ ...order, customer: { name: 'Sample Customer', vip: true } });
  const deadline = Date.now() + LONGEST_MS;
  for (;;) {
    const status = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return;
    if ((status !== 0 && status !== 503) || Date.now() > deadline)
      throw new Error(`A webhook was answered with ${status}.`);
    await wait(RETRY_MS);
  }
}

/** @returns how many were killed */
async function killInTurn(
  product: Product,
  parts: StartedPart[],
  kills: number,
  state: { readonly isSending: boolean },
): Promise<number> {
  for (let killed = 0; killed < kills; killed += 1) {
    await wait(PAUSE_MS);
    if (!state.isSending) return killed;
    const at = killed % parts.length;
    await parts[at]?.kill();
    parts[at] = await product.start(at === 0 ? 'web' : 'worker');
  }
  return kills;
}

async function untilNothingIsOpen(pool: Pool): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  const open = `select count(*)::int as count from runs where ${isOpenRunSql('status')}`;
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(open);
    if (rows[0]?.count === 0) return;
    if (Date.now() > deadline) throw new Error(`${rows[0]?.count} runs have not ended.`);
    await wait(POLL_MS);
  }
}

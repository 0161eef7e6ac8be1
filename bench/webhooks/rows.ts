// The rows (a) to (k) of bench/README.md. Those that measure intake or the workers alone, (c), (d) and (f), leave every
// run to the workers (FIRST_LEG=off); the others run with the settings that everybody has.
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import type { Product, StartedPart } from '../../server/testing/product.ts';
import { postOrder } from '../peers/wait.ts';
import { driveFast, driveSteadily, type LoadResult } from '../load.ts';
import { ANSWERED, FIVE_TASKS } from '../workflows.ts';
import { type BenchDatabase, startBenchDatabase } from './database.ts';
import { measureList } from './list.ts';
import { measureMessages } from './messages.ts';
import { measureNotifications } from './notifications.ts';
import type { BenchOptions } from './options.ts';
import { prepareProduct } from './patchbay.ts';
import type { Contestant } from './system.ts';
import { measureWhole } from './whole.ts';

const STEADY_RATES = [2500, 3500, 4500, 5500, 6500, 7500, 8500];
const QUEUED = { FIRST_LEG: 'off' };
const BOTH = [32, 128];
const BASELINE = 'b';

export interface RowResults {
  results: Record<string, unknown>;
  /** Of each row's rate to that of (b) at as many connections. */
  ratios: Record<string, number>;
}

/** Measures the requested rows, one after the other on one database. @param peers the other products of row (i) */
export async function measureRows(
  peers: readonly Contestant[],
  options: BenchOptions,
  say: (line: string) => void,
): Promise<RowResults> {
  const { results, ratios } = await measureWebhooks(options, say);
  if (options.rows.has('h')) results.h = await measureNotifications(options, say);
  if (options.rows.has('i')) {
    const measured = await measureMessages(peers, options, say);
    results.i = measured.rows;
    if (measured.peers.length > 0) results.i_peers = measured.peers;
  }
  if (options.rows.has('j')) results.j = await measureList(options, say);
  if (options.rows.has('k')) results.k = await measureWhole(options, say);
  return { results, ratios };
}

/** Rows with a separate database. */
const SEPARATE: ReadonlySet<string> = new Set(['h', 'i', 'j', 'k']);

async function measureWebhooks(options: BenchOptions, say: (line: string) => void): Promise<RowResults> {
  if ([...options.rows].every((row) => SEPARATE.has(row))) return { results: {}, ratios: {} };
  const database = await startBenchDatabase();
  try {
    const rows = new Rows(database, await prepareProduct(database), options, say);
    await rows.measureAll();
    return { results: rows.results, ratios: ratiosOf(rows.results) };
  } finally {
    await database.stop();
  }
}

class Rows {
  readonly results: Record<string, unknown> = {};

  private readonly database: BenchDatabase;
  private readonly product: Product;
  private readonly options: BenchOptions;
  private readonly say: (line: string) => void;

  constructor(database: BenchDatabase, product: Product, options: BenchOptions, say: (line: string) => void) {
    this.database = database;
    this.product = product;
    this.options = options;
    this.say = say;
  }

  async measureAll(): Promise<void> {
    const { rows } = this.options;
    const order = await insertWorkflow(this.database.pool, FIVE_TASKS);
    const answered = await insertWorkflow(this.database.pool, ANSWERED);
    const path = `/webhook/${order.token}`;
    if (rows.has('a'))
      await this.withBareServer('constant.ts', (base) =>
        this.measure('a', 'bare Node http, a constant', base, BOTH),
      );
    if (rows.has('b'))
      await this.withBareServer('three-inserts.ts', (base) =>
        this.measure('b', 'three inserts, group commit', base, BOTH),
      );
    if (rows.has('c'))
      await this.withWeb(QUEUED, (base) =>
        this.measure('c', 'Patchbay immediate, its own door', base + path, BOTH),
      );
    if (rows.has('f')) await this.withWeb(QUEUED, (base) => this.measureBacklog(base + path));
    if (rows.has('e'))
      await this.withWeb({}, (base) =>
        this.withWorker(() =>
          this.measure('e', 'Patchbay after workflow, four tasks', `${base}/webhook/${answered.token}`, [32]),
        ),
      );
    if (rows.has('g'))
      await this.withWeb({}, (base) => this.withWorker(() => this.measureSteady(base + path)));
    if (rows.has('d'))
      await this.withWeb({ ...QUEUED, WEBHOOK_DOOR: 'next' }, (base) =>
        this.measure('d', 'Patchbay immediate, Next route handler', base + path, BOTH),
      );
  }

  private withBareServer(file: string, work: (base: string) => Promise<void>): Promise<void> {
    const { url } = this.database;
    return this.withServer(async () => {
      const PORT = String(await findFreePort());
      const server = await startProcess(`bench/servers/${file}`, { DATABASE_URL: url, PORT });
      return { ...server, base: `http://127.0.0.1:${PORT}` };
    }, work);
  }

  private withWeb(settings: Record<string, string>, work: (base: string) => Promise<void>): Promise<void> {
    return this.withServer(() => this.product.start('web', settings), work);
  }

  private async withServer(
    start: () => Promise<StartedPart>,
    work: (base: string) => Promise<void>,
  ): Promise<void> {
    await this.database.emptyTables();
    const server = await start();
    try {
      await work(server.base);
    } finally {
      await server.stop();
    }
  }

  private async withWorker(work: () => Promise<void>): Promise<void> {
    const worker = await this.product.start('worker');
    try {
      await work();
    } finally {
      await worker.stop();
    }
  }

  private async measure(
    key: string,
    name: string,
    url: string,
    connections: readonly number[],
  ): Promise<void> {
    await driveFast(url, 32, 2);
    for (const count of connections) {
      const load = await driveFast(url, count, this.options.seconds);
      this.results[`${key}_${count}`] = load;
      this.say(
        `${`(${key}) ${name}, ${count} connections`.padEnd(56)} ${load.requestsPerSecond.toFixed(0).padStart(7)} req/s   ` +
          `p50 ${load.p50Ms.toFixed(2)} ms   p99 ${load.p99Ms.toFixed(2)} ms   errors ${load.errors}   (${load.generator})`,
      );
    }
  }

  private async measureBacklog(url: string): Promise<void> {
    const { database } = this;
    const runs = await this.fillBacklog(url);
    await database.pool.query('checkpoint');
    const started = performance.now();
    await this.withWorker(() => this.untilEmpty());
    const seconds = (performance.now() - started) / 1000;
    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*)::int as count from task_runs',
    );
    this.results.f = { runs, seconds, runsPerSecond: runs / seconds, taskRuns: rows[0]?.count };
    this.say(
      `${`(f) backlog of ${runs} runs of five tasks`.padEnd(56)} ${(runs / seconds).toFixed(0).padStart(7)} runs/s   ${rows[0]?.count} task runs recorded`,
    );
  }

  private async fillBacklog(url: string): Promise<number> {
    // On a busy machine the first answer of a process may take longer than a round.
    await postOrder(url);
    for (let before = 0; ;) {
      await driveFast(url, 64, 1);
      const runs = await this.database.countUnfinished();
      if (runs >= this.options.backlog) return runs;
      if (runs <= before) throw new Error(`The backlog does not grow beyond ${runs} runs.`);
      before = runs;
    }
  }

  private async measureSteady(url: string): Promise<void> {
    const { seconds } = this.options;
    await driveSteadily(url, 1000, 3);
    let best: Record<string, unknown> | undefined;
    for (const rate of STEADY_RATES) {
      await this.database.emptyTables();
      const half = await driveSteadily(url, rate, seconds);
      const first = await this.database.countUnfinished();
      const load = await driveSteadily(url, rate, seconds);
      const last = await this.database.countUnfinished();
      const reached = Math.min(half.requestsPerSecond, load.requestsPerSecond);
      const kept = reached > rate * 0.97 && last <= Math.max(first * 1.2, rate * 0.25) && load.errors === 0;
      this.say(
        `(g) ${rate}/s: reached ${reached.toFixed(0)}/s, p99 ${load.p99Ms.toFixed(1)} ms, ` +
          `unfinished runs ${first} then ${last}${kept ? '' : ': not kept up with'}`,
      );
      await this.untilEmpty();
      if (!kept) break;
      best = { rate, reached, p50Ms: load.p50Ms, p99Ms: load.p99Ms, unfinished: [first, last] };
    }
    this.results.g = best ?? null;
  }

  private async untilEmpty(): Promise<void> {
    const { left } = await this.database.untilDrained();
    if (left > 0) throw new Error(`${left} runs did not end within a minute, or failed.`);
  }
}

function ratiosOf(results: Record<string, unknown>): Record<string, number> {
  const rate = (key: string): number | undefined =>
    (results[key] as Partial<LoadResult> | undefined)?.requestsPerSecond;
  const ratios = Object.keys(results).flatMap((key) => {
    const [row, connections] = key.split('_');
    const [own, baseline] = [rate(key), rate(`${BASELINE}_${connections}`)];
    return row !== BASELINE && own && baseline ? [[key, own / baseline] as const] : [];
  });
  return Object.fromEntries(ratios);
}

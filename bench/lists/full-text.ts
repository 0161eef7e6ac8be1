// What full text costs, and what it finds in which time: over bodies like those of a shop, of which no two are alike.
import type { Database, Pool } from '#lib/core/db/client.ts';
import { indexDue, LEAST_NEW } from '#lib/events/full-text/index-due.ts';
import { readFullTextStatus, switchFullTextOn } from '#lib/events/full-text/switch.ts';
import { searchEvents } from '#lib/events/read-events.ts';
import type { Context } from '#lib/identity/context.ts';
import { newId } from '#lib/core/ids.ts';
import { readProcessTimes } from '#lib/testing/process-times.ts';
import { searchRuns } from '#lib/runs/list-runs.ts';
import type { ListedHistory } from '../../server/testing/list-cases.ts';
import { insertHistory } from '../../server/testing/skewed-history.ts';

const NAMES = `array['Anna','Kim','Mehmet','Olga','Jonas','Mia','Paul','Lena','Ali','Sofia','Noah','Emma','Ben','Luca','Marta','Ivan','Zoe','Jürgen']`;
const LAST_NAMES = `array['Example','Miller','Kaya','Novak','Rossi','Garcia','Weber','Silva','Jensen','Ito','Brown','Okafor','Müller','Popov']`;
const GOODS = `array['book','lamp','table','chair','kettle','carpet','mirror','pillow','blanket','shelf','bottle','basket','candle','clock','vase','frame']`;

/** SQL: an order of 700 to 1,000 bytes; one in 1,000 has a voucher. */
export const SHOP_BODY = `
  '{"id":"' || md5('id' || n) || '","type":"order.created","created":' || 1760000000 + n || ',"order":{"number":"A-' || 100000 + n ||
  '","currency":"EUR","total":' || (n::bigint * 7919) % 90000 / 100.0 || case when n % 1000 = 500 then ',"voucher":"SPRING"' else '' end ||
  '},"customer":{"name":"' || (${NAMES})[1 + n % 18] || ' ' || (${LAST_NAMES})[1 + (n / 18) % 14] || '","phone":"' || 4915100000000 + (n::bigint * 7368787) % 100000000 ||
  '","email":"customer' || (n * 31) % 500000 || '@shop.example","address":"' || (n * 13) % 300 || ' Station Road, ' || 10000 + (n * 17) % 80000 || ' Berlin"},"items":[' ||
  (select string_agg('{"sku":"' || upper(left(md5('sku' || (n * i) % 5000), 8)) || '","name":"' || (${GOODS})[1 + (n * i) % 16] || ' no. ' || (n * i) % 5000 ||
    '","quantity":' || 1 + n % i || ',"price":' || (n * i) % 9900 / 100.0 || ',"delivery":"standard, in ' || i || ' days"}', ',') from generate_series(1, 3 + n % 3) i) || ']}'`;

interface Figures {
  first: number;
  p50: number;
  p99: number;
  /** Processor time of a search, of this process and of the database, which does not depend on what else runs. */
  cpu: number;
}

/** For each event. */
interface Cost {
  wal_bytes: number;
  worker_cpu_us: number;
  database_cpu_us: number;
}

export interface FullTextFigures {
  events: number;
  postgres: string;
  index: Cost & { seconds: number; bytes: number; event_bytes: number };
  /** As they arrive: in segments of a few hundred, which become large ones. */
  arrivals: Cost;
  milliseconds: Record<string, Figures & { pages: number }>;
}

const CALLS = Number(process.env.BENCH_CALLS ?? 50);
const LIMIT = 25;
const BUDGET_MS = 300;

/** Indexes a history without the breaks of the worker's job, and measures searches. */
export async function measureFullText(
  ctx: Context,
  history: ListedHistory,
  { events, say }: { events: number; say: (line: string) => void },
): Promise<FullTextFigures> {
  const { $client: pool } = ctx.db;
  const index = await measureIndexing(ctx.db, events, say);
  const arrivals = await measureArrivals(ctx, history, say);
  const { rows } = await pool.query<{ version: string }>('show server_version');
  const milliseconds: FullTextFigures['milliseconds'] = {};
  say(`${''.padEnd(50)}    first      p50      p99      cpu  requests`);
  for (const [name, search] of Object.entries(casesOf(ctx, history, events))) {
    const took = await measureCase(pool, search);
    milliseconds[name] = took;
    const cells = [took.first, took.p50, took.p99, took.cpu].map((ms) => ms.toFixed(1).padStart(9)).join('');
    say(
      `${name.padEnd(50)}${cells}${String(took.pages).padStart(10)}${took.p99 > BUDGET_MS ? '  over the budget' : ''}`,
    );
  }
  return { events, postgres: rows[0]?.version ?? '', index, arrivals, milliseconds };
}

/** Of the two connections of the pool. */
async function readDatabaseSeconds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and backend_type = $1',
    ['client backend'],
  );
  return rows.reduce((sum, { pid }) => sum + readProcessTimes(pid).ownSeconds, 0);
}

async function readWal(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`,
  );
  return rows[0]?.bytes ?? 0;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** What some work costs for each of these events. */
async function measureCost(pool: Pool, events: number, work: () => Promise<void>): Promise<Cost> {
  const before = {
    database: await readDatabaseSeconds(pool),
    wal: await readWal(pool),
    own: process.cpuUsage(),
  };
  await work();
  const { user, system } = process.cpuUsage(before.own);
  return {
    wal_bytes: round(((await readWal(pool)) - before.wal) / events),
    worker_cpu_us: round((user + system) / events),
    database_cpu_us: round((((await readDatabaseSeconds(pool)) - before.database) * 1_000_000) / events),
  };
}

async function measureIndexing(
  db: Database,
  events: number,
  say: (line: string) => void,
): Promise<FullTextFigures['index']> {
  const { $client: pool } = db;
  const { rows } = await pool.query<{ bytes: number }>(
    `select avg(octet_length(body))::float8 as bytes from events tablesample system (1)`,
  );
  const since = performance.now();
  const cost = await measureCost(pool, events, async () => {
    await switchFullTextOn(db);
    while (await indexDue({ pool, isRested: true }));
  });
  const { bytes } = await readFullTextStatus(db);
  const figures = {
    ...cost,
    seconds: Math.round((performance.now() - since) / 1000),
    bytes: round(bytes / events),
    event_bytes: Math.round(rows[0]?.bytes ?? 0),
  };
  say(`indexed: ${JSON.stringify(figures)}`);
  return figures;
}

const NEVER_MS = 1e12;
/** Two large segments. */
const ARRIVALS = 16_384;

/** Events of another workspace, as if each few hundred had just arrived. */
async function measureArrivals(
  { db }: Context,
  { busyIds, startMs }: ListedHistory,
  say: (line: string) => void,
): Promise<FullTextFigures['arrivals']> {
  const { $client: pool } = db;
  const workspaceId = newId();
  await pool.query(`insert into workspaces (id, name) values ($1, 'Arrivals')`, [workspaceId]);
  const history = { workflowIds: busyIds, first: 5_000_001, last: 5_000_000 + ARRIVALS, body: SHOP_BODY };
  await insertHistory({ db, workspaceId }, { ...history, startMs: startMs - 1_000_000_000 });
  const patience = { settledMs: 0, againMs: 0 };
  const cost = await measureCost(pool, ARRIVALS, async () => {
    while (
      await indexDue({
        pool,
        isRested: true,
        maxDocuments: LEAST_NEW,
        patience: { ...patience, mergedMs: NEVER_MS },
      })
    );
    while (await indexDue({ pool, isRested: true, patience: { ...patience, mergedMs: 0 } }));
  });
  say(`arriving: ${JSON.stringify(cost)}`);
  return cost;
}

interface Searched {
  next_cursor: string | null;
  searched_to: string | null;
  data: readonly unknown[];
}
type Search = (call: number, cursor?: string) => Promise<Searched>;

function casesOf(ctx: Context, history: ListedHistory, events: number): Record<string, Search> {
  const input = { limit: LIMIT, hidesNumbers: false };
  const searchIn =
    (text: (call: number) => string, more: Partial<Parameters<typeof searchEvents>[1]> = {}): Search =>
    (call, cursor) =>
      searchEvents(ctx, { ...input, text: text(call), cursor, ...more });
  const runsIn =
    (text: (call: number) => string, more: Partial<Parameters<typeof searchRuns>[1]> = {}): Search =>
    (call, cursor) =>
      searchRuns(ctx, { ...input, text: text(call), cursor, ...more });
  const numberOf = (call: number): number => 1 + (((call * 7919 + 13) * 104_729) % events);
  const order = (call: number): string => `A-${100_000 + numberOf(call)}`;
  const phone = (call: number): string =>
    String(4_915_100_000_000 + ((numberOf(call) * 7_368_787) % 100_000_000));
  const middleMs = (history.startMs + history.endMs) / 2;
  const [busy, quiet] = [history.busyIds[0], history.quietIds[0]];
  return {
    'an order number': searchIn(order),
    'an order number, runs': runsIn(order),
    'an order number, numbers masked': searchIn(order, { hidesNumbers: true }),
    'digits of an order number': searchIn((call) => order(call).slice(2)),
    'a phone number': searchIn(phone),
    'the last seven digits of a phone number': searchIn((call) => phone(call).slice(-7)),
    'a number that is masked': searchIn(phone, { hidesNumbers: true }),
    'no such word': searchIn((call) => `nosuchword${call}`),
    'a word of every event': searchIn(() => 'station'),
    'a word of every event, runs': runsIn(() => 'station'),
    'a word of every event, numbers masked': searchIn(() => 'station', { hidesNumbers: true }),
    'the beginning of every number': searchIn(() => '4915'),
    'a word of one in 1,000': searchIn(() => 'SPRING'),
    'two words, an umlaut, any case': searchIn(() => 'JÜRGEN müller'),
    'two words that no event has in this order': searchIn(() => 'road station'),
    'a word of every event, quiet workflow': searchIn(() => 'station', { workflow_id: quiet }),
    'an order number, busy workflow': searchIn(order, { workflow_id: busy }),
    'a word of every event, rejected': searchIn(() => 'station', { outcome: 'rejected' }),
    'a word of every event, failed runs': runsIn(() => 'station', { status: 'failed' }),
    'a word of every event, older half': searchIn(() => 'station', { toMs: middleMs }),
    'a word of one in 1,000, an hour': searchIn(() => 'SPRING', {
      fromMs: middleMs,
      toMs: middleMs + 3_600_000,
    }),
  };
}

/** Milliseconds of the first request, and how many requests it takes until the page is full or all was searched. */
async function measureCase(pool: Pool, search: Search): Promise<Figures & { pages: number }> {
  const call = async (place: number): Promise<number> => {
    const startedAt = performance.now();
    await search(place);
    return performance.now() - startedAt;
  };
  const first = await call(0);
  const took: number[] = [];
  const before = { database: await readDatabaseSeconds(pool), own: process.cpuUsage() };
  for (let place = 1; place <= CALLS; place += 1) took.push(await call(place));
  const { user, system } = process.cpuUsage(before.own);
  const databaseMs = ((await readDatabaseSeconds(pool)) - before.database) * 1000;
  const cpu = ((user + system) / 1000 + databaseMs) / CALLS;
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
  return { first, p50: at(0.5), p99: at(0.99), cpu, pages: await countRequests(search) };
}

const MAX_REQUESTS = 20;

async function countRequests(search: Search): Promise<number> {
  let [found, requests] = [0, 0];
  for (let cursor: string | undefined; requests < MAX_REQUESTS;) {
    const page = await search(1, cursor);
    requests += 1;
    found += page.data.length;
    if (found >= LIMIT || page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return requests;
}

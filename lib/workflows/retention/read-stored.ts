// How much of a workspace is stored and what its retention would remove now. Nothing here reads all rows of a large table: rows
// are found by key range, counted up to a limit, and estimated from the planner's statistics beyond it.
import type { Pool } from '#lib/core/db/client.ts';
import { createdAtMs, HIGHEST_ID, LOWEST_ID, lowestIdAt } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import type { RetentionPart } from '#lib/identity/schema/retention.ts';
import { getRetention } from '#lib/identity/workspaces/retention.ts';
import type { Retention } from '#lib/identity/workspaces/schema.ts';
import { LAST_ID, LAST_TIME, oldestSql } from './parts.ts';
import {
  type DueNow,
  type RowCount,
  STORED_KINDS,
  type StoredFigures,
  type StoredKind,
} from './stored-types.ts';

/** Counted exactly up to here. */
const MAX_COUNTED = 1000;
/** The newest rows, and of each run at most as many task runs. */
const SAMPLED_ROWS = 100;
const DAY_MS = 86_400_000;
const GROWTH_DAYS = 7;

/** Header of a row, its place in the page and its entries in indexes. */
const ROW_BYTES = 130;

interface KindSource {
  /** What is removed comes up to the position of this part. */
  part: RetentionPart;
  table: string;
  column: string;
  /** SQL: above all values of `column`. */
  last: string;
  /** An id as a value of `column`, and back. */
  toValue: (id: string) => string | Date;
  toMs: (value: string | Date) => number;
  /** SQL of the mean bytes of one of the newest rows. */
  meanBytes: string;
}

/** Rows are compared as in lists (lib/core/db/paging.ts), so that only the index over workspace and time serves. */
const newest = (table: string, column: string): string => `(
  select * from ${table}
  where (workspace_id, ${column}) >= ($1, ${column === 'id' ? `'${LOWEST_ID}'::uuid` : `'-infinity'::timestamptz`})
    and (workspace_id, ${column}) <= ($1, ${column === 'id' ? LAST_ID : LAST_TIME})
  order by workspace_id desc, ${column} desc limit ${SAMPLED_ROWS}) newest`;

const byId = {
  column: 'id',
  last: LAST_ID,
  toValue: (id: string) => id,
  toMs: (id: string | Date) => createdAtMs(String(id)),
};

const byTime = (table: string, column: string) => ({
  table,
  column,
  last: LAST_TIME,
  toValue: (id: string) => new Date(createdAtMs(id)),
  toMs: (value: string | Date) => Number(value),
  meanBytes: `select avg(${ROW_BYTES} + ${size('newest.*')}) as mean from ${newest(table, column)}`,
});

const size = (...columns: string[]): string =>
  columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ');

const CONTENTS = size('t.output', 't.state', 't.items');

const SOURCES: Readonly<Record<StoredKind, KindSource>> = {
  bodies: {
    ...byId,
    part: 'event_bodies',
    table: 'events',
    meanBytes: `select avg(${size('body', 'headers')} + coalesce((
      select sum(${CONTENTS}) from (select * from task_runs where run_id = newest.run_id limit ${SAMPLED_ROWS}) t), 0)) as mean from ${newest('events', 'id')}`,
  },
  // Every run has an event, and an event may have none.
  runs: {
    ...byId,
    part: 'events',
    table: 'events',
    meanBytes: `select avg(2 * ${ROW_BYTES} + coalesce((
      select sum(${ROW_BYTES} + ${size('t.*')} - least(${CONTENTS}, ${size('t.*')}))
      from (select * from task_runs where run_id = newest.run_id limit ${SAMPLED_ROWS}) t), 0)) as mean
      from ${newest('events', 'id')}`,
  },
  messages: { part: 'messages', ...byTime('sent_messages', 'created_at') },
  received: { part: 'received', ...byTime('received_messages', 'received_at') },
  windows: { part: 'windows', ...byTime('conversation_windows', 'last_message_at') },
  names: { part: 'names', ...byTime('customer_names', 'seen_at') },
  audit: {
    ...byId,
    part: 'audit',
    table: 'audit_entries',
    meanBytes: `select avg(${ROW_BYTES} + ${size('newest.*')}) as mean from ${newest('audit_entries', 'id')}`,
  },
};

/** How many days each kind is kept. Bodies go with their run at the latest. */
function daysOf(retention: Retention): Record<StoredKind, number | null> {
  const { bodies_days: bodies, runs_days: runs, messages_days: messages, audit_days: audit } = retention;
  const least = bodies === null || runs === null ? (bodies ?? runs) : Math.min(bodies, runs);
  return { bodies: least, runs, messages, received: messages, windows: messages, names: messages, audit };
}

/** What is stored of each kind, and what of it is older than the workspace keeps it. */
export async function readStored(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  now = new Date(),
): Promise<StoredFigures[]> {
  const days = daysOf(await getRetention(ctx));
  const positions = await readPositions(ctx);
  return Promise.all(STORED_KINDS.map((kind) => readKind(ctx, { kind, days: days[kind], positions, now })));
}

/** What a retention would remove now. */
export async function previewRetention(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  retention: Retention,
  now = new Date(),
): Promise<DueNow[]> {
  const days = daysOf(retention);
  const positions = await readPositions(ctx);
  return Promise.all(STORED_KINDS.map((kind) => readDue(ctx, { kind, days: days[kind], positions, now })));
}

interface KindRequest {
  kind: StoredKind;
  days: number | null;
  positions: ReadonlyMap<RetentionPart, string>;
  now: Date;
}

async function readKind(
  { db: { $client: pool }, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  request: KindRequest,
): Promise<StoredFigures> {
  const { kind, positions, now } = request;
  const source = SOURCES[kind];
  const after = positions.get(source.part) ?? LOWEST_ID;
  const all = { workspaceId, after, before: HIGHEST_ID };
  const since = lowestIdAt(now.getTime() - GROWTH_DAYS * DAY_MS);
  const [count, oldest, recent, mean, due] = await Promise.all([
    countRows(pool, source, all),
    findOldest(pool, source, all),
    countRows(pool, source, { ...all, after: since > after ? since : after }),
    readMean(pool, source, workspaceId),
    readDue({ db: { $client: pool } as Context['db'], workspaceId }, request),
  ]);
  const ageDays = oldest === null ? 1 : (now.getTime() - oldest) / DAY_MS;
  const rowsADay = recent.rows / Math.min(GROWTH_DAYS, Math.max(1, ageDays));
  return {
    kind,
    ...count,
    bytes: Math.round(count.rows * mean),
    oldestAt: oldest === null ? null : new Date(oldest).toISOString(),
    rowsADay,
    bytesADay: Math.round(rowsADay * mean),
    due,
  };
}

async function readDue(
  { db: { $client: pool }, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { kind, days, positions, now }: KindRequest,
): Promise<DueNow> {
  const source = SOURCES[kind];
  const after = positions.get(source.part) ?? LOWEST_ID;
  const before = days === null ? LOWEST_ID : lowestIdAt(now.getTime() - days * DAY_MS);
  if (before <= after) return nothingDue(kind);
  const range = { workspaceId, after, before };
  const oldest = await findOldest(pool, source, range);
  if (oldest === null) return nothingDue(kind);
  return { kind, ...(await countRows(pool, source, range)), oldestAt: new Date(oldest).toISOString() };
}

const nothingDue = (kind: StoredKind): DueNow => ({ kind, rows: 0, isEstimate: false, oldestAt: null });

async function readPositions({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<Map<RetentionPart, string>> {
  const { rows } = await db.$client.query<{ part: RetentionPart; position: string }>(
    'select part, position from retention_progress where workspace_id = $1',
    [workspaceId],
  );
  return new Map(rows.map(({ part, position }) => [part, position]));
}

interface IdRange {
  workspaceId: string;
  after: string;
  before: string;
}

/** The first rows of a range, with their `place`. */
const first = ({ table, column, last }: KindSource): string =>
  `(${oldestSql({ table, columns: `${column} as place`, place: 'place' }, { by: column, from: '>', last })}) first_rows`;

/** The planner does not estimate the comparison of rows. */
const estimated = ({ table, column }: KindSource): string =>
  `from ${table} where workspace_id = $1 and ${column} > $2 and ${column} < $3`;

const valuesOf = ({ toValue }: KindSource, { workspaceId, after, before }: IdRange) => [
  workspaceId,
  toValue(after),
  // The largest instant of an id is beyond those that PostgreSQL has.
  before === HIGHEST_ID && toValue(LOWEST_ID) instanceof Date ? 'infinity' : toValue(before),
];

async function countRows(pool: Pool, source: KindSource, range: IdRange): Promise<RowCount> {
  const values = valuesOf(source, range);
  const counted = await pool.query<{ rows: number }>(`select count(*)::int as rows from ${first(source)}`, [
    ...values,
    MAX_COUNTED + 1,
  ]);
  const rows = counted.rows[0]?.rows ?? 0;
  if (rows <= MAX_COUNTED) return { rows, isEstimate: false };
  const planned = await pool.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select ${estimated(source)}`,
    values,
  );
  return {
    rows: Math.max(rows, planned.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0),
    isEstimate: true,
  };
}

/** Milliseconds since 1970. */
async function findOldest(pool: Pool, source: KindSource, range: IdRange): Promise<number | null> {
  const { rows } = await pool.query<{ place: string | Date }>(`select place from ${first(source)}`, [
    ...valuesOf(source, range),
    1,
  ]);
  return rows[0] === undefined ? null : source.toMs(rows[0].place);
}

async function readMean(pool: Pool, { meanBytes }: KindSource, workspaceId: string): Promise<number> {
  const { rows } = await pool.query<{ mean: string | null }>(meanBytes, [workspaceId]);
  return Number(rows[0]?.mean ?? 0);
}

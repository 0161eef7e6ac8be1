// What housekeeping does for partitioned tables (docs/decisions/partitions.md). Of plain ones it only ends conversions that were
// begun and forgotten.
import { createdAtMs, lowestIdAt } from '#lib/core/ids.ts';
import type { Pool, Queryable } from '../client.ts';
import { releaseForgotten } from './convert.ts';
import { lockBriefly } from './lock-briefly.ts';
import { createLike, MONTHS_AHEAD } from './prepare-parent.ts';
import {
  boundsSql,
  endOfMonths,
  listPartitions,
  monthOf,
  monthSql,
  otherOf,
  PARTITIONED_TABLES,
  type Partition,
  type PartitionedTable,
  pastOf,
  readShapes,
  startOfMonth,
} from './shape.ts';

/** Moved while the partition of everything else is locked, or the table. */
const MAX_MOVED_ROWS = 5000;
/** An emptied past that is larger is replaced on its own; a smaller one together with the next month. */
const LEAST_PAST_BYTES = 64 * 1024 * 1024;
/** Then the statistics of a whole table are gathered again: autovacuum only does so for each partition. */
const ANALYZE_HOURS = 24;
/** It reads a sample of each partition: that of a large table takes longer than the statements of its pool may. */
const ANALYZE_TIMEOUT_MS = 3_600_000;
/** Locks are tried for this long: the next hour comes. */
const PATIENCE_MS = 20_000;

export interface Maintenance {
  /** New partitions. */
  made: string[];
  /** Partitions that held nothing any more but what stays for ever. */
  dropped: string[];
  analyzed: string[];
  /** Tables whose conversion was begun and forgotten. */
  released: string[];
}

/** Makes months ahead, drops what retention has emptied, and gathers statistics. Idempotent; at any point it may be killed. */
export async function maintainPartitions(pool: Pool, now = new Date()): Promise<Maintenance> {
  const report: Maintenance = { made: [], dropped: [], analyzed: [], released: [] };
  const client = await pool.connect();
  try {
    const shapes = new Map((await readShapes(client)).map(({ table, shape }) => [table, shape]));
    for (const each of PARTITIONED_TABLES) {
      if (shapes.get(each.table) !== 'partitioned') {
        const lock = { patienceMs: PATIENCE_MS };
        if (await releaseForgotten(client, each.table, lock, now.getTime())) report.released.push(each.table);
        continue;
      }
      report.made.push(...(await makeMonths(client, each, now.getTime())));
      report.dropped.push(...(await dropEmptied(client, each, now.getTime())));
      if (await analyzeWhole(client, each)) report.analyzed.push(each.table);
    }
  } finally {
    // Its transaction may be open.
    client.release(true);
  }
  return report;
}

const COLUMNS = `
select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
where attrelid = to_regclass('public.' || $1) and attnum > 0 and not attisdropped and attgenerated = ''`;

/** The columns of a table that are written, as SQL. */
export async function listColumns(db: Queryable, table: string): Promise<string> {
  return (await db.query<{ columns: string }>(COLUMNS, [table])).rows[0]?.columns ?? '';
}

/** @returns the names of the new partitions */
async function makeMonths(client: Queryable, each: PartitionedTable, nowMs: number): Promise<string[]> {
  const { table } = each;
  const last = endOfMonths(await listPartitions(client, table));
  if (last === null) return [];
  const made: string[] = [];
  const end = startOfMonth(nowMs, MONTHS_AHEAD + 1);
  for (let at = last; at < end; at = startOfMonth(at, 1))
    if (await makeMonth(client, each, at)) made.push(monthOf(table, at));
  return made;
}

/**
 * What is in the partition of everything else, because the month was not there, moves into it.
 * @returns false where that is too much: then it stays there, which only costs time
 */
async function makeMonth(
  client: Queryable,
  { table, key }: PartitionedTable,
  startMs: number,
): Promise<boolean> {
  const [name, other] = [monthOf(table, startMs), otherOf(table)];
  const columns = await listColumns(client, table);
  const range = `${key} >= '${lowestIdAt(startMs)}' and ${key} < '${lowestIdAt(startOfMonth(startMs, 1))}'`;
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (select from ${other} where ${range} limit ${MAX_MOVED_ROWS + 1}) found`,
  );
  if ((rows[0]?.count ?? 0) > MAX_MOVED_ROWS) return false;
  await lockBriefly(
    client,
    `lock table ${table} in share update exclusive mode; lock table only ${other} in access exclusive mode`,
    async () => {
      await createLike(client, { name, like: pastOf(table), parent: table });
      await client.query(
        `with moved as (delete from ${other} where ${range} returning ${columns}) insert into ${name} (${columns}) select ${columns} from moved`,
      );
      await client.query(`alter table ${table} attach partition ${name} ${monthSql(startMs)}`);
    },
    { patienceMs: PATIENCE_MS },
  );
  return true;
}

/**
 * Months that retention has emptied, but for the few rows that stay for ever, such as samples: these move into a new partition of
 * the past, and the old one and the months are dropped. So space comes back that deleting rows does not give back.
 * @returns the names of the dropped partitions
 */
async function dropEmptied(client: Queryable, each: PartitionedTable, nowMs: number): Promise<string[]> {
  const partitions = await listPartitions(client, each.table);
  const emptied = await findEmptied(client, each, partitions, startOfMonth(nowMs));
  const last = emptied.at(-1);
  if (!last?.range) return [];
  const { to } = last.range;
  const { table, key } = each;
  const [past, next] = [pastOf(table), `${pastOf(table)}_next`];
  const columns = await listColumns(client, table);
  await lockBriefly(
    client,
    `lock table ${table} in access exclusive mode`,
    async () => {
      await client.query(`set local statement_timeout = 500`);
      await createLike(client, { name: next, like: past, parent: table });
      const { rowCount } = await client.query(
        `insert into ${next} (${columns}) select ${columns} from ${table} where ${key} < '${to}' order by ${key} limit ${2 * MAX_MOVED_ROWS}`,
      );
      if ((rowCount ?? 0) === 2 * MAX_MOVED_ROWS)
        throw new Error(`${table}: rows were added to partitions that are being dropped`);
      for (const { name } of emptied)
        await client.query(`alter table ${table} detach partition ${name}; drop table ${name}`);
      await client.query(`alter table ${next} rename to ${past}`);
      await client.query(`alter table ${table} attach partition ${past} ${boundsSql(null, to)}`);
    },
    { patienceMs: PATIENCE_MS },
  );
  return emptied.map(({ name }) => name);
}

/** The past and the months after it that hold next to nothing; none where dropping them would give nothing back. */
async function findEmptied(
  client: Queryable,
  { key }: PartitionedTable,
  partitions: readonly Partition[],
  before: number,
): Promise<Partition[]> {
  const found: Partition[] = [];
  let left = MAX_MOVED_ROWS;
  for (const partition of partitions) {
    const { name, range } = partition;
    // A month that is missing ends it: its rows are in the partition of everything else.
    const isNext = range?.from === (found.at(-1)?.range?.to ?? null);
    if (!range || !isNext || createdAtMs(range.to) > before) break;
    const { rows } = await client.query<{ count: number; bytes: number }>(
      `select count(*)::int as count, pg_total_relation_size($1)::float8 as bytes
       from (select from ${name} order by ${key} limit ${left + 1}) found`,
      [name],
    );
    left -= rows[0]?.count ?? 0;
    if (left < 0) break;
    found.push(partition);
    if (found.length === 1 && (rows[0]?.bytes ?? 0) > LEAST_PAST_BYTES) return found;
  }
  return found.length > 1 ? found : [];
}

async function analyzeWhole(client: Queryable, { table }: PartitionedTable): Promise<boolean> {
  const { rows } = await client.query<{ isDue: boolean }>(
    `select coalesce(last_analyze < now() - make_interval(hours => $2), true) as "isDue"
     from pg_stat_all_tables where relid = to_regclass('public.' || $1)`,
    [table, ANALYZE_HOURS],
  );
  if (rows[0]?.isDue !== true) return false;
  // The driver knows it, its types do not.
  const statement = { text: `analyze ${table}`, query_timeout: ANALYZE_TIMEOUT_MS };
  await client.query(statement);
  return true;
}

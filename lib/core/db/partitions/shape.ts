// The shape of the tables that `patchbay partition` converts: plain, as migrations create them, or partitioned by month
// (docs/decisions/partitions.md). Ids are UUIDv7, so that the ids of a month are one range.
import { createdAtMs, lowestIdAt } from '#lib/core/ids.ts';
import type { Queryable } from '../client.ts';

/** Each has its key first in its primary key, and no foreign key: nothing is lost by the range being part of every key. */
export const PARTITIONED_TABLES = [
  { table: 'events', key: 'id' },
  { table: 'runs', key: 'id' },
  { table: 'task_runs', key: 'run_id' },
] as const;

export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/** The partition of everything before the first month: the table as it was before the conversion. */
export const pastOf = (table: string): string => `${table}_past`;
/** The partition of what belongs into no other one, so that nothing is ever refused. It is empty unless no worker ran for months. */
export const otherOf = (table: string): string => `${table}_other`;
/** The parent while it is prepared. */
export const preparedOf = (table: string): string => `${table}_partitioned`;
/** The constraint by which PostgreSQL knows that all rows of the table lie before the first month. */
export const boundOf = (table: string): string => `${table}_before_partitions`;

/** The name of the partition of a month. @param startMs its start, UTC */
export const monthOf = (table: string, startMs: number): string =>
  `${table}_${new Date(startMs).toISOString().slice(0, 7).replace('-', '_')}`;

/** The start of a month, UTC. @param months how many months after the one of `atMs` */
export function startOfMonth(atMs: number, months = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months);
}

export interface Partition {
  name: string;
  /** Null: the partition of what belongs into no other one. */
  range: { from: string | null; to: string } | null;
}

/** Whether the table has its plain shape, is partitioned, or a conversion was begun and not ended. */
export type TableShape = 'plain' | 'unfinished' | 'partitioned';

export interface TableState {
  table: string;
  shape: TableShape;
  /** Of the table with its partitions and indexes. */
  bytes: number;
  /** In the order of their ranges. */
  partitions: Partition[];
}

const SHAPE = `
select c.relkind = 'p' as "isPartitioned",
  to_regclass('public.' || $2) is not null
    or exists (select from pg_constraint where conrelid = c.oid and conname = $3) as "isBegun",
  (select sum(pg_total_relation_size(t.relid)) from pg_partition_tree(c.oid) t)::float8 as bytes,
  pg_total_relation_size(c.oid)::float8 as "plainBytes"
from pg_class c where c.oid = to_regclass('public.' || $1)`;

const PARTITIONS = `
select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('public.' || $1)`;

/** Partitions of a table, in the order of their ranges; that of everything else comes last. */
export async function listPartitions(db: Queryable, table: string): Promise<Partition[]> {
  const { rows } = await db.query<{ name: string; bound: string }>(PARTITIONS, [table]);
  return rows
    .map(({ name, bound }) => ({ name, range: parseBound(bound) }))
    .toSorted((a, b) => (toOf(a) < toOf(b) ? -1 : 1));
}

const toOf = ({ range }: Partition): string => range?.to ?? '~';

/** @param bound as PostgreSQL prints it: FOR VALUES FROM (MINVALUE) TO ('019…') */
function parseBound(bound: string): Partition['range'] {
  const [, from = '', to = ''] = /FROM \((.+)\) TO \('(.+)'\)/.exec(bound) ?? [];
  return to === '' ? null : { from: from === 'MINVALUE' ? null : from.replaceAll("'", ''), to };
}

/** How the tables are now. Tables that are missing are left out. */
export async function readShapes(db: Queryable): Promise<TableState[]> {
  const states: TableState[] = [];
  for (const { table } of PARTITIONED_TABLES) {
    const { rows } = await db.query<{
      isPartitioned: boolean;
      isBegun: boolean;
      bytes: number | null;
      plainBytes: number;
    }>(SHAPE, [table, preparedOf(table), boundOf(table)]);
    const [row] = rows;
    if (!row) continue;
    const shape = row.isPartitioned ? 'partitioned' : row.isBegun ? 'unfinished' : 'plain';
    const partitions = row.isPartitioned ? await listPartitions(db, table) : [];
    states.push({ table, shape, bytes: row.bytes ?? row.plainBytes, partitions });
  }
  return states;
}

/** The end of the newest month that has a partition, in milliseconds since 1970; null: the table is not partitioned. */
export function endOfMonths(partitions: readonly Partition[]): number | null {
  const ends = partitions.flatMap(({ range }) => (range === null ? [] : [createdAtMs(range.to)]));
  return ends.length === 0 ? null : Math.max(...ends);
}

/** Values of a range in SQL. */
export const boundsSql = (from: string | null, to: string): string =>
  `for values from (${from === null ? 'minvalue' : `'${from}'`}) to ('${to}')`;

/** The range of a month in SQL. */
export const monthSql = (startMs: number): string =>
  boundsSql(lowestIdAt(startMs), lowestIdAt(startOfMonth(startMs, 1)));

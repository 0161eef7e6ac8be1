// What a backup consists of: the rows of our tables and of the queue's.
import type pg from 'pg';

export interface BackupTable {
  schema: string;
  name: string;
  /** Without generated columns. */
  columns: string[];
}

/**
 * The histories of the migrations are not copied: restoring makes the tables by running them. A partitioned table is one table, and
 * restored as a plain one.
 */
const TABLES = `
select n.nspname as schema, c.relname as name,
  array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'graphile_worker')
  and not (n.nspname = 'graphile_worker' and c.relname = 'migrations')
group by 1, 2
order by 1, 2`;

/** Every table that a backup holds. */
export async function listTables(client: pg.ClientBase): Promise<BackupTable[]> {
  return (await client.query<BackupTable>(TABLES)).rows;
}

const SEQUENCES = `
select schemaname as schema, sequencename as name, last_value::text as "lastValue"
from pg_sequences where schemaname in ('public', 'graphile_worker') and last_value is not null
order by 1, 2`;

export interface BackupSequence {
  schema: string;
  name: string;
  lastValue: string;
}

/** The current values of the tables' sequences; unused ones are left out. */
export async function listSequences(client: pg.ClientBase): Promise<BackupSequence[]> {
  return (await client.query<BackupSequence>(SEQUENCES)).rows;
}

/** Quotes an SQL identifier. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const tableName = ({ schema, name }: { schema: string; name: string }): string =>
  `${quote(schema)}.${quote(name)}`;

export const columnList = ({ columns }: BackupTable): string => columns.map(quote).join(', ');

/** File name of a table's rows in the backup's folder. */
export const fileOf = ({ schema, name }: BackupTable): string => `${schema}.${name}.copy.gz`;

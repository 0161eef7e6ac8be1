import type { Pool } from '#lib/core/db/client.ts';

interface Index {
  table: string;
  /** Adds it again. */
  definition: string;
  /** Removes it. */
  removal: string;
}

const INDEXES = `
select i.indrelid::regclass::text as "table",
  case when c.oid is null then pg_get_indexdef(i.indexrelid)
    else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as definition,
  case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
    else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as removal
from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
where i.indrelid = any($1::regclass[])
  and not exists (select from pg_constraint f where f.contype = 'f' and f.confrelid = i.indrelid and f.conindid = i.indexrelid)`;

/** Does work that fills tables, and only then creates their indexes. */
export async function withoutIndexes(
  pool: Pool,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await pool.query<Index>(INDEXES, [tables]);
  for (const { removal } of rows) await pool.query(removal);
  await work();
  for (const { definition } of rows) await pool.query(definition);
}

const SETTINGS = [
  'fsync = off',
  'synchronous_commit = off',
  'full_page_writes = off',
  `maintenance_work_mem = '1GB'`,
  `max_wal_size = '16GB'`,
  'autovacuum = off',
];

/** Does work while the server, which nothing else uses, is faster and not durable; it has to gather statistics itself. */
export async function withoutDurability(pool: Pool, work: () => Promise<void>): Promise<void> {
  for (const setting of SETTINGS) await pool.query(`alter system set ${setting}`);
  await pool.query('select pg_reload_conf()');
  await work();
  await pool.query('alter system reset all');
  await pool.query('select pg_reload_conf()');
  await pool.query('checkpoint');
}

// Indexes of partitioned tables (`migrate.ts`): PostgreSQL neither creates nor drops them concurrently, so each partition gets its own.
import type { Queryable } from '../client.ts';
import { lockBriefly } from './lock-briefly.ts';
import { listPartitions } from './shape.ts';

const CREATION = /^\s*create index concurrently "(\w+)" on "(\w+)" (.*?);?\s*$/is;

const IS_PARTITIONED = `
select exists (select from pg_class where oid = to_regclass('public.' || quote_ident($1)) and relkind = 'p') as yes`;

const TABLE_OF = `
select t.relname as name from pg_index i join pg_class t on t.oid = i.indrelid
where i.indexrelid = to_regclass('public.' || quote_ident($1)) and t.relkind = 'p'`;

const CHILD = `
select i.indisvalid as "isValid"
from pg_index i where i.indexrelid = to_regclass('public.' || quote_ident($1))`;

const COVERED = `
select from pg_index i join pg_inherits h on h.inhrelid = i.indexrelid
where i.indrelid = to_regclass('public.' || quote_ident($1)) and h.inhparent = to_regclass('public.' || quote_ident($2))`;

/**
 * Does what a statement says (`create index concurrently …`) where its table is partitioned: the index of the parent first, and then that of each
 * partition beside its writers. After a kill it is continued. @returns whether the table is partitioned
 */
export async function createPartitionedIndex(db: Queryable, statement: string): Promise<boolean> {
  const [, name = '', table = '', definition = ''] = CREATION.exec(statement) ?? [];
  const { rows } = await db.query<{ yes: boolean }>(IS_PARTITIONED, [table]);
  if (rows[0]?.yes !== true) return false;
  await lockBriefly(db, `lock table only "${table}" in share mode`, async () => {
    await db.query(`create index if not exists "${name}" on only "${table}" ${definition}`);
  });
  for (const partition of await listPartitions(db, table)) {
    if ((await db.query(COVERED, [partition.name, name])).rowCount !== 0) continue;
    const child = `${partition.name}_${name}`;
    const { rows: found } = await db.query<{ isValid: boolean }>(CHILD, [child]);
    if (found[0]?.isValid === false) await db.query(`drop index concurrently "${child}"`);
    await db.query(`create index concurrently if not exists "${child}" on "${partition.name}" ${definition}`);
    await lockBriefly(db, `lock table only "${table}" in share update exclusive mode`, async () => {
      await db.query(`alter index "${name}" attach partition "${child}"`);
    });
  }
  return true;
}

/** Drops an index of a partitioned table, for which all of it is locked for an instant. @returns whether it is one */
export async function dropPartitionedIndex(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query<{ name: string }>(TABLE_OF, [name]);
  if (!rows[0]) return false;
  await lockBriefly(db, `lock table "${rows[0].name}" in access exclusive mode`, async () => {
    await db.query(`drop index "${name}"`);
  });
  return true;
}

// The parent of a conversion is made beside the table, with everything that the table has, before anything is locked.
import type { Queryable } from '../client.ts';
import { PartitionError } from './lock-briefly.ts';
import {
  boundOf,
  monthOf,
  monthSql,
  otherOf,
  type PartitionedTable,
  preparedOf,
  startOfMonth,
} from './shape.ts';

/** Housekeeping keeps at least this many whole months ahead. */
export const MONTHS_AHEAD = 3;

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface TableIndex {
  name: string;
  isValid: boolean;
  /** `using btree (…)` and what follows. */
  using: string;
  isPrimaryKey: boolean;
}

const INDEXES = `
select c.relname as name, i.indisvalid as "isValid", i.indisprimary as "isPrimaryKey",
  substring(pg_get_indexdef(c.oid) from ' (USING .*)$') as using
from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass('public.' || $1) order by 1`;

export const listIndexes = async (db: Queryable, table: string): Promise<TableIndex[]> =>
  (await db.query<TableIndex>(INDEXES, [table])).rows;

/** The name of an index of the parent while it is prepared. */
export const preparedIndex = (index: string): string => `${index}_new`;

const OBSTACLES = `
with t as (select to_regclass('public.' || $1) as oid)
select 'the trigger ' || tgname as what from pg_trigger, t where tgrelid = t.oid and not tgisinternal
union all select 'the rule ' || rulename from pg_rewrite, t where ev_class = t.oid
union all select 'the policy ' || polname from pg_policy, t where polrelid = t.oid
union all select 'the foreign key ' || conname from pg_constraint, t where contype = 'f' and t.oid in (conrelid, confrelid)
union all select 'the unique index ' || i.indexrelid::regclass from pg_index i, t
  where i.indrelid = t.oid and i.indisunique and not i.indisprimary
union all select distinct 'the view ' || r.ev_class::regclass from t join pg_depend d on d.refobjid = t.oid
  join pg_rewrite r on r.oid = d.objid where d.classid = 'pg_rewrite'::regclass and r.ev_class <> t.oid
union all select 'the publication ' || p.pubname from pg_publication_rel r join pg_publication p on p.oid = r.prpubid, t
  where r.prrelid = t.oid
union all select 'the table ' || i.inhrelid::regclass || ', which inherits from it' from pg_inherits i, t where i.inhparent = t.oid
union all select 'the invalid index ' || i.indexrelid::regclass || ' (patchbay migrate creates it again)' from pg_index i, t
  where i.indrelid = t.oid and not i.indisvalid`;

const RIGHTS = `
select pg_has_role(current_user, c.relowner, 'USAGE') as "isOwner", pg_get_userbyid(c.relowner) as owner,
  has_schema_privilege(current_user, 'public', 'CREATE') as "mayCreate", current_user::text as "user"
from pg_class c where c.oid = to_regclass('public.' || $1)`;

/**
 * Nothing may depend on the table that would not follow it: of Patchbay's own, nothing does. @throws PartitionError which says
 * what is in the way
 */
export async function assertConvertible(db: Queryable, table: string): Promise<void> {
  const { rows } = await db.query<{ isOwner: boolean; owner: string; mayCreate: boolean; user: string }>(
    RIGHTS,
    [table],
  );
  const [rights] = rows;
  if (!rights)
    throw new PartitionError(`The table ${table} does not exist yet. Run “patchbay migrate” first.`);
  if (!rights.isOwner)
    throw new PartitionError(
      `The role ${rights.user} does not own the table ${table}. Use a DATABASE_URL of ${rights.owner}.`,
    );
  if (!rights.mayCreate)
    throw new PartitionError(
      `The role ${rights.user} may not create tables. Run “grant create on schema public to ${quote(rights.user)}”.`,
    );
  const { rows: obstacles } = await db.query<{ what: string }>(OBSTACLES, [table]);
  if (obstacles.length > 0)
    throw new PartitionError(
      `The table ${table} cannot be partitioned: ${obstacles.map(({ what }) => what).join(', ')} would not follow it. Nothing was changed.`,
    );
}

/**
 * Makes the empty parent with its months again, whatever an earlier attempt left.
 * @param startMs where the months begin
 */
export async function prepareParent(
  db: Queryable,
  { table, key }: PartitionedTable,
  startMs: number,
): Promise<void> {
  const parent = preparedOf(table);
  await db.query('begin');
  await db.query(`drop table if exists ${parent} cascade`);
  await db.query(
    `create table ${parent} (like ${table} including all excluding indexes) partition by range (${key})`,
  );
  await db.query(`alter table ${parent} drop constraint ${boundOf(table)}`);
  await copyRights(db, table, parent);
  for (const { name, using, isPrimaryKey } of await listIndexes(db, table)) {
    const index = quote(preparedIndex(name));
    await db.query(
      isPrimaryKey
        ? `alter table ${parent} add constraint ${index} primary key ${using.replace(/^USING \w+ /, '')}`
        : `create index ${index} on ${parent} ${using}`,
    );
  }
  const end = startOfMonth(Math.max(Date.now(), startMs), MONTHS_AHEAD + 1);
  for (let at = startMs; at < end; at = startOfMonth(at, 1)) {
    await createLike(db, { name: monthOf(table, at), like: table, parent });
    await db.query(`alter table ${parent} attach partition ${monthOf(table, at)} ${monthSql(at)}`);
  }
  await createLike(db, { name: otherOf(table), like: table, parent });
  await db.query(`alter table ${parent} attach partition ${otherOf(table)} default`);
  await db.query('commit');
}

const OPTIONS = `
select array_to_string(reloptions, ', ') as options from pg_class where oid = to_regclass('public.' || $1) and reloptions is not null
union all select string_agg('toast.' || option, ', ') from pg_class c join pg_class t on t.oid = c.reltoastrelid, unnest(t.reloptions) option
  where c.oid = to_regclass('public.' || $1) having count(*) > 0`;

/**
 * Creates an empty table that can be attached to a parent. @param like whose storage options it gets: parents have none
 */
export async function createLike(
  db: Queryable,
  { name, like, parent }: { name: string; like: string; parent: string },
): Promise<void> {
  const { rows } = await db.query<{ options: string }>(OPTIONS, [like]);
  const options = rows.map((row) => row.options).join(', ');
  await db.query(
    `create table ${name} (like ${parent} including all)${options === '' ? '' : ` with (${options})`}`,
  );
  await copyRights(db, parent, name);
}

const GRANTS = `
select format('alter table %I owner to %I', $2::text, pg_get_userbyid(relowner)) as statement from pg_class
where oid = to_regclass('public.' || $1) and relowner <> (select relowner from pg_class where oid = to_regclass('public.' || $2))
union all
select format('grant %s on %I to %s%s', a.privilege_type, $2::text,
  case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end,
  case when a.is_grantable then ' with grant option' else '' end)
from pg_class c, aclexplode(c.relacl) a where c.oid = to_regclass('public.' || $1) and a.grantee <> c.relowner`;

async function copyRights(db: Queryable, from: string, to: string): Promise<void> {
  const { rows } = await db.query<{ statement: string }>(GRANTS, [from, to]);
  for (const { statement } of rows) await db.query(statement);
}

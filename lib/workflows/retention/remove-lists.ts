import { inTransaction, type Queryable } from '#lib/core/db/client.ts';
import { type Batch, listById, MAX_WEIGHT, type Part, type Selection, type Weight } from './parts.ts';

/** `ready`: it was uploaded as long ago, and never started. */
const FOUND = `
select id, work_at is null and (state = 'ready' or (state in ('stopped', 'finished') and ended_at < $3)) as is_due
from send_lists where id = any($1::uuid[]) and workspace_id = $2`;
const LOCKED = `select id from (${FOUND} order by id for update skip locked) found where is_due`;

/** Open lists stay, and those whose last run ended less long ago. */
async function select(
  db: Queryable,
  { workspaceId, keys, cutoff, lock }: Batch & { lock: boolean; cutoff: Date },
): Promise<Selection> {
  const values = [keys, workspaceId, cutoff];
  const { rows } = await db.query<{ id: string; is_due: boolean }>(FOUND, values);
  const due = rows.filter((row) => row.is_due).map(({ id }) => id);
  const free = new Set(
    lock
      ? (await db.query<{ id: string }>(LOCKED, [due, workspaceId, cutoff])).rows.map(({ id }) => id)
      : due,
  );
  const found = new Set(rows.map(({ id }) => id));
  return {
    removable: keys.filter((id) => free.has(id)),
    kept: keys.filter((id) => found.has(id) && !free.has(id)),
  };
}

/** Of each list, as far as it fits into one transaction. */
const MEASURE = `
select list.id as key, count(*)::int as rows, coalesce(sum(pg_column_size(r.data)), 0)::float8 as bytes
from unnest($1::uuid[]) list(id) cross join lateral (
  select data from send_list_rows where list_id = list.id order by list_id, line limit ${MAX_WEIGHT.rows + 1}
) r group by 1`;

/** Rows of a list that has very many. A row may be large, so fewer than `MAX_WEIGHT` has. */
const DELETE_SOME = `
delete from send_list_rows where (list_id, line) in (
  select list_id, line from send_list_rows where list_id = $1 order by list_id, line limit ${MAX_WEIGHT.rows / 4}
)`;

/** Lists whose work is over, with their rows. Their runs have their own retention, and a list outlives them. */
export const LISTS: Part = {
  name: 'lists',
  list: listById('send_lists'),
  select: (db, _ctx, batch) => select(db, batch),
  async measure(db, keys) {
    const { rows } = await db.query<Weight & { key: string }>(MEASURE, [keys]);
    return new Map(rows.map(({ key, rows: count, bytes }) => [key, { rows: count, bytes }]));
  },
  shrink: ({ pool }, { workspaceId, key, cutoff }) =>
    inTransaction(pool, async (client) => {
      const { removable } = await select(client, { workspaceId, keys: [key], cutoff, lock: true });
      if (removable.length > 0) await client.query(DELETE_SOME, [key]);
    }),
  async remove(db, _ctx, { keys }) {
    await db.query('delete from send_list_rows where list_id = any($1::uuid[])', [keys]);
    return (await db.query('delete from send_lists where id = any($1::uuid[])', [keys])).rowCount ?? 0;
  },
};

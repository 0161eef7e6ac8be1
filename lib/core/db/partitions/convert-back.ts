// `patchbay partition --back`: the partition of the past becomes the table again.
import type { Queryable } from '../client.ts';
import { type ConversionOptions, dropUnfinished, withMaintenance } from './convert.ts';
import { lockBriefly, PartitionError } from './lock-briefly.ts';
import { listColumns } from './maintain.ts';
import { quote } from './prepare-parent.ts';
import { PARTITIONED_TABLES, type PartitionedTable, pastOf, readShapes } from './shape.ts';

/** They are moved while the table is locked: 2,000 events took 92 ms, 10,000 task runs 58. */
const MAX_MOVED_ROWS = 20_000;

const INDEX_PAIRS = `
select parent.relname as parent, child.relname as child
from pg_index i join pg_class child on child.oid = i.indexrelid
join pg_inherits h on h.inhrelid = i.indexrelid join pg_class parent on parent.oid = h.inhparent
where i.indrelid = to_regclass('public.' || $1)`;

/**
 * Makes plain tables of partitioned ones, and ends unfinished conversions, while Patchbay runs. The rows of the months are moved
 * into the table while it is locked, so there may not be many of them.
 * @returns the tables that were changed, and for how long each was locked
 * @throws PartitionError when there are too many
 */
export function convertBack(
  url: string,
  options: Pick<ConversionOptions, 'say' | 'patienceMs'> = {},
): Promise<{ table: string; lockedMs: number[] }[]> {
  return withMaintenance(url, async (client) => {
    const shapes = new Map((await readShapes(client)).map(({ table, shape }) => [table, shape]));
    const partitioned = PARTITIONED_TABLES.filter(({ table }) => shapes.get(table) === 'partitioned');
    for (const each of partitioned) await assertFewLater(client, each);
    const changed: { table: string; lockedMs: number[] }[] = [];
    for (const each of PARTITIONED_TABLES) {
      const { table } = each;
      if (shapes.get(table) === 'partitioned')
        changed.push({ table, lockedMs: [await mergeBack(client, each, options)] });
      else if (await dropUnfinished(client, table, options)) changed.push({ table, lockedMs: [] });
    }
    return changed;
  });
}

async function assertFewLater(client: Queryable, each: PartitionedTable): Promise<void> {
  const count = await countLater(client, each);
  if (count > MAX_MOVED_ROWS)
    throw new PartitionError(
      `More than ${MAX_MOVED_ROWS} rows of ${each.table} are in its months, and moving them would block webhooks for too long. Nothing was changed. ` +
        'A backup that is restored into an empty database has plain tables.',
    );
}

/** Rows outside of the past, up to one more than may be moved. */
async function countLater(client: Queryable, { table, key }: PartitionedTable): Promise<number> {
  const [past] = (await readShapes(client)).find((state) => state.table === table)?.partitions ?? [];
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (select from ${table} where ${key} >= $1 order by ${key} limit ${MAX_MOVED_ROWS + 1}) later`,
    [past?.range?.to],
  );
  return rows[0]?.count ?? 0;
}

async function mergeBack(
  client: Queryable,
  { table }: PartitionedTable,
  options: Pick<ConversionOptions, 'say' | 'patienceMs'>,
): Promise<number> {
  const past = pastOf(table);
  const { rows: indexes } = await client.query<{ parent: string; child: string }>(INDEX_PAIRS, [past]);
  const columns = await listColumns(client, table);
  const statements = [
    `alter table ${table} detach partition ${past}`,
    `insert into ${past} (${columns}) select ${columns} from ${table}`,
    `drop table ${table}`,
    `alter table ${past} rename to ${table}`,
    ...indexes.map(({ parent, child }) => `alter index ${quote(child)} rename to ${quote(parent)}`),
  ];
  const lockedMs = await lockBriefly(
    client,
    `lock table ${table} in access exclusive mode`,
    async () => {
      await client.query(statements.join('; '));
    },
    options,
  );
  await client.query(`analyze ${table}`);
  return lockedMs;
}

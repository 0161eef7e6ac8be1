// `patchbay partition` (docs/decisions/partitions.md): each table becomes the first partition of a parent that takes its name.
// Every step is committed on its own, and begins by looking how far an earlier attempt came.
import { createdAtMs, lowestIdAt } from '#lib/core/ids.ts';
import { type Queryable, openDatabase } from '../client.ts';
import { MIGRATION_LOCK } from '../migrate.ts';
import { lockBriefly, type LockOptions, PartitionError } from './lock-briefly.ts';
import { assertConvertible, listIndexes, prepareParent, preparedIndex, quote } from './prepare-parent.ts';
import {
  boundOf,
  boundsSql,
  PARTITIONED_TABLES,
  type PartitionedTable,
  pastOf,
  preparedOf,
  readShapes,
  startOfMonth,
} from './shape.ts';

const DAY_MS = 86_400_000;
/** From the beginning of a conversion on, the table refuses ids of the first month: so it is at least this far away. */
const LEAST_DAYS = 10;
/** An unfinished conversion whose first month is nearer is undone. */
const RELEASE_DAYS = 5;

/** After which step of a conversion it stands; the tests kill it at each. */
export const CONVERSION_POINTS = ['bounded', 'validated', 'prepared', 'swapping', 'swapped'] as const;
export type ConversionPoint = (typeof CONVERSION_POINTS)[number];

export interface ConversionOptions extends LockOptions {
  /** By which it is decided where the months begin. */
  now?: Date;
  /** Called at each point; for tests. */
  at?: (point: ConversionPoint, table: string) => Promise<void> | void;
}

/** What a conversion did. */
export interface ConvertedTable {
  table: string;
  /** For how long the table was locked exclusively, in milliseconds: to add the bound, and to take its place. */
  lockedMs: number[];
}

/**
 * Converts the tables that are not partitioned yet, while Patchbay runs. One that was killed is continued.
 * @throws PartitionError when something is in the way
 */
export async function convertToPartitions(
  url: string,
  options: ConversionOptions = {},
): Promise<ConvertedTable[]> {
  return withMaintenance(url, async (client) => {
    const shapes = new Map((await readShapes(client)).map(({ table, shape }) => [table, shape]));
    const open = PARTITIONED_TABLES.filter(({ table }) => shapes.get(table) !== 'partitioned');
    for (const { table } of open) await assertConvertible(client, table);
    const converted: ConvertedTable[] = [];
    for (const each of open) converted.push(await convertTable(client, each, options));
    return converted;
  });
}

/** A process that was killed a moment ago may still have its connection. */
const MAINTENANCE_PATIENCE_MS = 5000;

/** Runs `work` on its own connection, while nothing else migrates or converts the database. */
export async function withMaintenance<Result>(
  url: string,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(url, { maxConnections: 1, name: 'patchbay-partition' });
  const client = await database.$client.connect();
  try {
    await client.query(`set lock_timeout = ${MAINTENANCE_PATIENCE_MS}`);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]).catch((cause: unknown) => {
      throw new PartitionError(
        'Another process migrates or converts this database. Run the command again later.',
        { cause },
      );
    });
    await client.query('set lock_timeout = 0; set statement_timeout = 0');
    return await work(client);
  } finally {
    client.release(true);
    await database.$client.end();
  }
}

async function convertTable(
  client: Queryable,
  each: PartitionedTable,
  { now = new Date(), at = () => undefined, ...lock }: ConversionOptions,
): Promise<ConvertedTable> {
  const { table } = each;
  const nowMs = now.getTime();
  const lockedMs: number[] = [];
  const say = (line: string): void => lock.say?.(`${table}: ${line}`);
  await releaseForgotten(client, table, lock, nowMs);
  let startMs = await findStart(client, table);
  if (startMs === null) {
    startMs = chooseStart(nowMs);
    await assertNothingLater(client, each, startMs);
    lockedMs.push(await addBound(client, each, startMs, lock));
  }
  await at('bounded', table);
  say('checking that all rows are older than the first month');
  await validateChecks(client, table);
  await at('validated', table);
  await prepareParent(client, each, startMs);
  await at('prepared', table);
  lockedMs.push(await swap(client, table, { to: lowestIdAt(startMs), at, lock }));
  say(`partitioned; it was locked for ${Math.round(lockedMs.at(-1) ?? 0)} ms`);
  await at('swapped', table);
  await client.query(`analyze ${table}`);
  return { table, lockedMs };
}

const UNCHECKED = `
select conname as name from pg_constraint
where conrelid = to_regclass('public.' || $1) and contype = 'c' and not convalidated order by 1`;

/**
 * Reads all rows, once for each constraint that migrations or a conversion added without reading them: a parent has no such
 * ones. It blocks neither readers nor writers.
 */
async function validateChecks(client: Queryable, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(UNCHECKED, [table]);
  for (const { name } of rows) await client.query(`alter table ${table} validate constraint ${quote(name)}`);
}

/** The start of the first month that is far enough away. */
function chooseStart(nowMs: number): number {
  const next = startOfMonth(nowMs, 1);
  return next - nowMs >= LEAST_DAYS * DAY_MS ? next : startOfMonth(nowMs, 2);
}

/** Where the months of an unfinished conversion begin; null: none was begun. */
async function findStart(client: Queryable, table: string): Promise<number | null> {
  const { rows } = await client.query<{ bound: string }>(
    `select pg_get_constraintdef(oid) as bound from pg_constraint
     where conrelid = to_regclass('public.' || $1) and conname = $2`,
    [table, boundOf(table)],
  );
  const id = /'([0-9a-f-]{36})'/.exec(rows[0]?.bound ?? '')?.[1];
  return id === undefined ? null : createdAtMs(id);
}

async function assertNothingLater(
  client: Queryable,
  { table, key }: PartitionedTable,
  startMs: number,
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select ${key} as id from ${table} where ${key} >= $1 order by ${key} desc limit 1`,
    [lowestIdAt(startMs)],
  );
  if (rows[0])
    throw new PartitionError(
      `The table ${table} has the id ${rows[0].id}, of a time in the future, where the partitions of months would begin. ` +
        'A clock was wrong when it was made. Delete that row, or wait until its time has come.',
    );
}

const addBound = (
  client: Queryable,
  { table, key }: PartitionedTable,
  startMs: number,
  lock: LockOptions,
): Promise<number> =>
  lockBriefly(
    client,
    `lock table ${table} in access exclusive mode`,
    async () => {
      await client.query(
        `alter table ${table} add constraint ${boundOf(table)} check (${key} < '${lowestIdAt(startMs)}') not valid`,
      );
    },
    lock,
  );

/**
 * Undoes a conversion that was begun and forgotten, before the table would refuse the ids of its first month. Housekeeping calls it,
 * too. @returns whether there was one
 */
export async function releaseForgotten(
  client: Queryable,
  table: string,
  lock: LockOptions = {},
  nowMs = Date.now(),
): Promise<boolean> {
  const startMs = await findStart(client, table);
  if (startMs === null || startMs > nowMs + RELEASE_DAYS * DAY_MS) return false;
  return dropUnfinished(client, table, lock);
}

/** Ends an unfinished conversion: the table is as it was. @returns whether there was one */
export async function dropUnfinished(
  client: Queryable,
  table: string,
  lock: LockOptions = {},
): Promise<boolean> {
  const isBegun = (await findStart(client, table)) !== null;
  if (isBegun) await dropBound(client, table, lock);
  await client.query(`drop table if exists ${preparedOf(table)} cascade`);
  return isBegun;
}

const dropBound = (client: Queryable, table: string, lock: LockOptions): Promise<number> =>
  lockBriefly(
    client,
    `lock table ${table} in access exclusive mode`,
    async () => {
      await client.query(`alter table ${table} drop constraint ${boundOf(table)}`);
    },
    lock,
  );

/** The name of an index in the partition of the past. */
const pastIndex = (table: string, index: string): string =>
  `${pastOf(table)}${index.startsWith(table) ? index.slice(table.length) : `_${index}`}`;

/** The parent takes the place of the table, which becomes its first partition. Nothing is read: the bound is validated. */
async function swap(
  client: Queryable,
  table: string,
  { to, at, lock }: { to: string; at: NonNullable<ConversionOptions['at']>; lock: LockOptions },
): Promise<number> {
  const past = pastOf(table);
  const indexes = await listIndexes(client, table);
  const renames = indexes.flatMap(({ name }) => [
    `alter index ${quote(name)} rename to ${quote(pastIndex(table, name))}`,
    `alter index ${quote(preparedIndex(name))} rename to ${quote(name)}`,
  ]);
  const statements = [
    `alter table ${table} rename to ${past}`,
    ...renames,
    `alter table ${preparedOf(table)} rename to ${table}`,
    `alter table ${table} attach partition ${past} ${boundsSql(null, to)}`,
    `alter table ${past} drop constraint ${boundOf(table)}`,
  ];
  return lockBriefly(
    client,
    `lock table ${table}, ${preparedOf(table)} in access exclusive mode`,
    async () => {
      // One round trip: everybody waits.
      await client.query(statements.join('; '));
      await at('swapping', table);
    },
    lock,
  );
}

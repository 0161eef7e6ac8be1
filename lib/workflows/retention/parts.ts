// What retention removes, part by part (docs/decisions/retention.md). Each part reads its rows by key range, oldest first.
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import { createdAtMs, HIGHEST_ID, lowestIdAt } from '#lib/core/ids.ts';
import type { RetentionPart } from '#lib/identity/schema/retention.ts';
import type { FileRemover } from './remove-files.ts';
import type { Samples } from './samples.ts';

/** What the parts share while a worker is at it. */
export interface RemovalContext {
  pool: Pool;
  files: FileRemover;
  samples: Samples;
  now: Date;
}

/** A row of a part: the place in the order of its part, which is the id except for those ordered by a time, and its key. */
export interface Candidate {
  position: string;
  key: string;
}

/** Which rows are removed, which are kept although they are due; the rest are gone already. */
export interface Selection {
  removable: readonly string[];
  kept: readonly string[];
}

export interface Range {
  workspaceId: string;
  /** Positions above this one. */
  after: string;
  /** Positions below this one. */
  before: string;
  limit: number;
}

/** A part of the removal. Everything is idempotent: after a kill the same rows are read again. */
export interface Part {
  name: RetentionPart;
  /** The next rows by position. */
  list(db: Pool, range: Range): Promise<Candidate[]>;
  /** Which of these may be removed now; left out: all. With `lock`, locks those until the transaction ends. */
  select?(
    db: Queryable,
    ctx: RemovalContext,
    batch: Batch & { lock: boolean; cutoff: Date },
  ): Promise<Selection>;
  /** Rows and bytes that the removal of each would write, for the size of a transaction; left out: they are small. */
  measure?(db: Queryable, keys: readonly string[]): Promise<Map<string, Weight>>;
  /** Removes a bounded part of one row that is too heavy for one transaction, in its own transactions. */
  shrink?(ctx: RemovalContext, row: { workspaceId: string; key: string; cutoff: Date }): Promise<void>;
  /** Removes these rows, which `select` has locked. @returns the number of removed rows */
  remove(db: Queryable, ctx: RemovalContext, batch: Batch & { cutoff: Date }): Promise<number>;
}

export interface Batch {
  workspaceId: string;
  keys: readonly string[];
}

export interface Weight {
  rows: number;
  bytes: number;
}

/** Limits of one transaction, so that it neither blocks vacuum for long nor floods the WAL at once. */
export const MAX_WEIGHT: Weight = { rows: 4000, bytes: 16 * 1024 * 1024 };

/** The first of these keys that fit into one transaction; none where the first one alone is too heavy. */
export function fit(keys: readonly string[], weights: ReadonlyMap<string, Weight>): string[] {
  let [rows, bytes] = [0, 0];
  const end = keys.findIndex((key) => {
    const weight = weights.get(key);
    rows += 1 + (weight?.rows ?? 0);
    bytes += weight?.bytes ?? 0;
    return rows > MAX_WEIGHT.rows || bytes > MAX_WEIGHT.bytes;
  });
  return end < 0 ? [...keys] : keys.slice(0, end);
}

/** SQL: above all ids, and above all times. */
export const [LAST_ID, LAST_TIME] = [`'${HIGHEST_ID}'::uuid`, `'infinity'::timestamptz`] as const;

/**
 * The rows of a workspace ($1) from a place on ($2), below another one ($3), at most $4. The row values serve only the index over
 * the workspace and this column (lib/core/db/paging.ts). The upper bound is above the limit: up to PostgreSQL 17 it would not end
 * the scan in a row value, and the last batch would read the index of all that is newer.
 * @param columns SQL, of which `place` is compared with the upper bound. @param last SQL: above all places
 */
export const oldestSql = (
  { table, columns, place }: { table: string; columns: string; place: string },
  { by, from, last }: { by: string; from: '>' | '>='; last: string },
): string => `
select * from (
  select ${columns} from ${table}
  where (workspace_id, ${by}) ${from} ($1, $2) and (workspace_id, ${by}) <= ($1, ${last}) order by workspace_id, ${by} limit $4
) oldest where ${place} < $3 order by ${place}`;

/** The next rows of a table whose ids are in the order of their time. */
export function listById(table: string): Part['list'] {
  const statement = oldestSql(
    { table, columns: 'id as key, id as position', place: 'position' },
    { by: 'id', from: '>', last: LAST_ID },
  );
  return async (db, { workspaceId, after, before, limit }) =>
    (await db.query<Candidate>(statement, [workspaceId, after, before, limit])).rows;
}

/**
 * The next rows of a table in the order of a time. Their place is that of an id of their time: several have the same, and a batch
 * may end between them, so the next one begins with it again.
 * @param key SQL that selects a row's `key`. @param at the column with the time. @param slackMs how much earlier than the previous batch rows may appear
 */
export function listByTime(table: string, key: string, at: string, slackMs = 0): Part['list'] {
  const statement = oldestSql(
    { table, columns: `${key}, ${at} as at`, place: 'at' },
    { by: at, from: '>=', last: LAST_TIME },
  );
  return async (db, { workspaceId, after, before, limit }) => {
    const bounds = [new Date(createdAtMs(after) - slackMs), new Date(createdAtMs(before))];
    const { rows } = await db.query<{ key: string; at: Date }>(statement, [workspaceId, ...bounds, limit]);
    return rows.map((row) => ({ key: row.key, position: lowestIdAt(row.at.getTime()) }));
  };
}

/** The columns of rows that are known by two values: their keys are JSON arrays of both. */
export function columnsOf(keys: readonly string[]): [string[], string[]] {
  const pairs = keys.map((key) => JSON.parse(key) as [string, string]);
  return [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
}

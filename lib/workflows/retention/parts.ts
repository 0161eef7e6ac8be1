// What retention removes, part by part (docs/decisions/retention.md). Each part reads its rows by key range, oldest first.
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import { HIGHEST_ID } from '#lib/core/ids.ts';
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

/**
 * A statement that lists the rows of a workspace from a place on ($1, $2), below another one ($3), at most $4. Its row values
 * serve only the index over the workspace and this column (lib/core/db/paging.ts). The upper bound is above the limit: up to
 * PostgreSQL 17 it would not end the scan in a row value, and the last batch would read all that is newer.
 */
const oldestSql = (
  { table, columns, place }: { table: string; columns: string; place: string },
  { by, after, last }: { by: string; after: '>' | '>='; last: string },
): string => `
select * from (
  select ${columns} from ${table}
  where (workspace_id, ${by}) ${after} ($1, $2) and (workspace_id, ${by}) <= ($1, ${last}) order by workspace_id, ${by} limit $4
) oldest where ${place} < $3 order by ${place}`;

/** Those of a table whose places are its ids. */
export const oldestById = (table: string): string =>
  oldestSql(
    { table, columns: 'id as key, id as position', place: 'position' },
    { by: 'id', after: '>', last: `'${HIGHEST_ID}'::uuid` },
  );

/** Those in the order of a time, which is `at`; several have the same, so that a batch begins with that of the last one. */
export const oldestByTime = (table: string, by: string, key: string): string =>
  oldestSql(
    { table, columns: `${key} as key, ${by} as at`, place: 'at' },
    { by, after: '>=', last: `'infinity'::timestamptz` },
  );

/** A part of the removal. Everything is idempotent: after a kill the same rows are read again. */
export interface Part {
  name: RetentionPart;
  /** The next rows by position. */
  list(db: Pool, range: Range): Promise<Candidate[]>;
  /** Which of these may be removed now. With `lock`, locks those until the transaction ends. */
  select(
    db: Queryable,
    ctx: RemovalContext,
    batch: Batch & { lock: boolean; cutoff: Date },
  ): Promise<Selection>;
  /** Rows and bytes that the removal of each would write, for the size of a transaction; left out: they are small. */
  measure?(db: Queryable, keys: readonly string[]): Promise<Map<string, Weight>>;
  /** Removes a bounded part of one row that is too heavy for one transaction, in its own transactions. */
  shrink?(ctx: RemovalContext, row: { workspaceId: string; key: string; cutoff: Date }): Promise<void>;
  /** Removes rows that `select` has locked. @returns the number of removed rows */
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

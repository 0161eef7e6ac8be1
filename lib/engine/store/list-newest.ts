// Lists of events and runs, newest first: read by the index over a workspace's or a workflow's rows or, for rare states, by
// the index over those rows.
import { sql, type SQL } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/client.ts';
import { newestOf, type Page, type PageInput, readCursor, toPage } from '#lib/core/db/paging.ts';
import { lowestIdAt } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';

export interface NewestTable {
  name: 'events' | 'runs';
  /** Its alias in `columns` and in the conditions. */
  alias: string;
  columns: string;
  stateColumn: 'outcome' | 'status';
  /** Partial indexes over rare states. */
  rare: {
    states: readonly string[];
    /** The index column before the id. */
    column: string;
    condition: string;
  };
  /** A table of marked rows, with the same scopes and an index over each of them and the row's id. */
  marks?: { name: string; rowId: string };
}

export interface NewestInput extends PageInput {
  workflowId?: string | undefined;
  state?: string | undefined;
  /** Only rows with a mark. */
  isMarked?: boolean | undefined;
  /** Created at or after this. Milliseconds since 1970. */
  fromMs?: number | undefined;
  /** Created before this. Milliseconds since 1970. */
  toMs?: number | undefined;
  /** Only rows of these ids. */
  among?: ListIds | undefined;
}

/** A query of some ids, newest first: the column `id`, of ids from one on and below another, at most `rows`. */
export type ListIds = (range: { from: string; below: string; rows: number }) => SQL;

/** Whether only the listed rows have to be read. */
export const isIndexed = (
  { rare }: NewestTable,
  { state, isMarked, among, workflowId }: NewestInput,
): boolean =>
  among
    ? state === undefined && !isMarked && workflowId === undefined
    : state === undefined || (!isMarked && rare.states.includes(state));

/** The rows, by their marks where only marked ones are listed: with a join the planner could read all rows. */
function readFrom({ name, alias, marks }: NewestTable, isMarked: boolean) {
  if (!isMarked || !marks) return { source: `${name} ${alias}`, index: alias, id: 'id' };
  const row = `(select * from ${name} where id = mark.${marks.rowId} limit 1) ${alias}`;
  return { source: `${marks.name} mark cross join lateral ${row}`, index: 'mark', id: marks.rowId };
}

/**
 * The query for a page of the newest rows. States without an index have to be filtered by the caller, and `among` some ids the
 * workflow and the mark, too.
 * @param columns of the table by its alias
 * @param rows maximum number
 */
export function newestRows(
  ctx: Pick<Context, 'workspaceId'>,
  table: NewestTable,
  input: NewestInput,
  { columns, rows }: { columns: string; rows: number },
): SQL {
  const { rare } = table;
  const { cursor, workflowId, state, isMarked = false, fromMs = 0, toMs } = input;
  const { source, index, id } = readFrom(table, isMarked);
  const column = (its: string): SQL => sql.raw(`${index}.${its}`);
  const scope =
    workflowId === undefined
      ? ([column('workspace_id'), ctx.workspaceId] as const)
      : ([column('workflow_id'), ownWorkflow(ctx, workflowId)] as const);
  const isRare = state !== undefined && isIndexed(table, input);
  const seen = readCursor(cursor);
  const end = toMs === undefined ? seen : lowestIdAt(toMs);
  if (input.among) {
    const ids = input.among({ from: lowestIdAt(fromMs), below: end < seen ? end : seen, rows });
    const { name, alias } = table;
    return sql`select ${sql.raw(columns)} from (${ids}) among_ids cross join lateral (
        select * from ${sql.raw(name)} where id = among_ids.id limit 1) ${sql.raw(alias)}
      where ${sql.raw(alias)}.workspace_id = ${ctx.workspaceId} order by ${sql.raw(alias)}.id desc`;
  }
  const { where, order } = newestOf({
    key: isRare ? [scope, [column(rare.column), state]] : [scope],
    id: column(id),
    below: end < seen ? end : seen,
  });
  const newest = sql`select ${sql.raw(columns)} from ${sql.raw(source)}
    where ${where} ${isRare ? sql.raw(`and ${rare.condition}`) : sql.empty()} order by ${order} limit ${rows}`;
  if (fromMs === 0) return newest;
  // Above the limit: up to PostgreSQL 17 a second bound of the id does not end the scan, and an empty span reads all that is before it.
  return sql`select * from (${newest}) newest_rows where id >= ${lowestIdAt(fromMs)}::uuid order by id desc`;
}

/** Null for a workflow of another workspace: nothing is found or read then. */
const ownWorkflow = ({ workspaceId }: Pick<Context, 'workspaceId'>, id: string): SQL =>
  sql`(select w.id from workflows w where w.id = ${id} and w.workspace_id = ${workspaceId})`;

/** The workspace's matching rows, newest first, including those of deleted workflows. The state is none or has an index. */
export async function listNewest<Row extends { id: string }, Item>(
  ctx: Context,
  table: NewestTable,
  input: NewestInput,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const page = { columns: table.columns, rows: input.limit + 1 };
  const rows = await queryRows<Row>(ctx.db, newestRows(ctx, table, input, page));
  return toPage(rows, input.limit, toItem);
}

// Events and runs are listed alike, the newest first: by the index over a workspace's or a workflow's rows, or where few
// rows are in a state, by the index over those.
import { sql, type SQL } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/sql.ts';
import { lowestIdAt } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { newestOf } from './newest-of.ts';
import { type Page, type PageInput, readCursor, toPage } from './paging.ts';

export interface NewestTable {
  name: 'events' | 'runs';
  /** Its alias in `columns` and in the conditions. */
  alias: string;
  columns: string;
  stateColumn: 'outcome' | 'status';
  /** The partial indexes over states that few rows are in. */
  rare: {
    states: readonly string[];
    /** What comes before the id in their key. */
    column: string;
    condition: string;
  };
}

export interface NewestInput extends PageInput {
  workflowId?: string | undefined;
  state?: string | undefined;
  /** Made at or after this. Milliseconds since 1970. */
  fromMs?: number | undefined;
  /** Made before this. Milliseconds since 1970. */
  toMs?: number | undefined;
}

/** Whether no more rows need be read than are listed. */
export const isIndexed = ({ rare }: NewestTable, state: string | undefined): boolean =>
  state === undefined || rare.states.includes(state);

/**
 * The query for the newest rows of a page and those after it. A state that no index has is left to who uses the rows.
 * @param columns of the table by its alias; @param rows how many at the most
 */
export function newestRows(
  ctx: Pick<Context, 'workspaceId'>,
  { name, alias, rare }: NewestTable,
  { cursor, workflowId, state, fromMs = 0, toMs }: NewestInput,
  { columns, rows }: { columns: string; rows: number },
): SQL {
  const column = (its: string): SQL => sql.raw(`${alias}.${its}`);
  const scope =
    workflowId === undefined
      ? ([column('workspace_id'), ctx.workspaceId] as const)
      : ([column('workflow_id'), ownWorkflow(ctx, workflowId)] as const);
  const isRare = state !== undefined && rare.states.includes(state);
  const seen = readCursor(cursor);
  const end = toMs === undefined ? seen : lowestIdAt(toMs);
  const { where, order } = newestOf({
    key: isRare ? [scope, [column(rare.column), state]] : [scope],
    id: column('id'),
    from: lowestIdAt(fromMs),
    below: end < seen ? end : seen,
  });
  return sql`select ${sql.raw(columns)} from ${sql.raw(`${name} ${alias}`)}
    where ${where} ${isRare ? sql.raw(`and ${rare.condition}`) : sql.empty()} order by ${order} limit ${rows}`;
}

/** Null for a workflow of another workspace: nothing is found then, and nothing read. */
const ownWorkflow = ({ workspaceId }: Pick<Context, 'workspaceId'>, id: string): SQL =>
  sql`(select w.id from workflows w where w.id = ${id} and w.workspace_id = ${workspaceId})`;

/** The workspace's rows that match, newest first; those of deleted workflows too. The state is none or has an index. */
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

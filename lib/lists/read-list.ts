import { and, eq, type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import {
  invalidCursor,
  newestOf,
  type Page,
  type PageInput,
  readCursor,
  toPage,
} from '#lib/core/db/paging.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadWorkflow } from '#lib/workflows/load-workflow.ts';
import {
  type List,
  type ListRow,
  ROW_STATES,
  type RowCounts,
  type RowState,
  type SkipReason,
} from './schema.ts';
import { sendListRows, sendLists } from './tables.ts';

export type ListRecord = typeof sendLists.$inferSelect;

/** @throws AppError `not_found` */
export async function getList(ctx: Context, { id }: { id: string }): Promise<List> {
  const record = await loadList(ctx, id);
  return toList(record, (await countRows(ctx, [id])).get(id));
}

/** The workspace's list. @throws AppError `not_found` */
async function loadList(ctx: Pick<Context, 'db' | 'workspaceId'>, id: string): Promise<ListRecord> {
  const [record] = isId(id)
    ? await ctx.db
        .select()
        .from(sendLists)
        .where(and(eq(sendLists.id, id), eq(sendLists.workspaceId, ctx.workspaceId)))
    : [];
  if (!record) throw noSuchList();
  return record;
}

export const noSuchList = (): AppError => new AppError('not_found', 'This list does not exist.');

/** Lists of a workflow, newest first. @throws AppError `not_found` for another workspace's workflow */
export async function listLists(
  ctx: Context,
  { workflowId, limit, cursor }: PageInput & { workflowId: string },
): Promise<Page<List>> {
  await loadWorkflow(ctx, workflowId);
  const { where, order } = newestOf({
    key: [[sendLists.workflowId, workflowId]],
    id: sendLists.id,
    below: readCursor(cursor),
  });
  const records = await ctx.db
    .select()
    .from(sendLists)
    .where(where)
    .orderBy(order)
    .limit(limit + 1);
  const counts = await countRows(
    ctx,
    records.map(({ id }) => id),
  );
  return toPage(records, limit, (record) => toList(record, counts.get(record.id)));
}

/** Rows by state, from the index alone. */
async function countRows(
  { db }: Pick<Context, 'db'>,
  ids: readonly string[],
): Promise<Map<string, RowCounts>> {
  const { rows } = await db.execute<{ list_id: string; state: RowState; count: number }>(sql`
    select list_id, state, count(*)::int as count from send_list_rows
    where list_id = any(${sql.param(ids)}::uuid[]) group by list_id, state`);
  const nothing = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Record<RowState, number>;
  const counts = new Map(ids.map((id) => [id, { ...nothing }]));
  for (const { list_id: id, state, count } of rows) (counts.get(id) ?? nothing)[state] = count;
  return counts;
}

function toList(record: ListRecord, counts: RowCounts | undefined): List {
  const { state, checkedLine, rowCount } = record;
  return {
    id: record.id,
    workflow_id: record.workflowId,
    name: record.name,
    state,
    problem: record.problem,
    columns: record.columns,
    mapping: record.mapping,
    row_count: rowCount,
    checked_rows: state === 'checking' ? Math.min(checkedLine, rowCount) : rowCount,
    counts: counts ?? (Object.fromEntries(ROW_STATES.map((each) => [each, 0])) as RowCounts),
    created_at: record.createdAt.toISOString(),
    started_at: record.startedAt?.toISOString() ?? null,
    ended_at: record.endedAt?.toISOString() ?? null,
  };
}

/** Which rows of a list. */
export interface RowFilter {
  state?: RowState | undefined;
  skipped?: SkipReason | undefined;
}

/** Rows of a list in their order. @throws AppError `not_found` */
export async function listRows(
  ctx: Context,
  { id, limit, cursor, state, skipped }: RowFilter & PageInput & { id: string },
): Promise<Page<ListRow>> {
  const { columns } = await loadList(ctx, id);
  const after = readLine(cursor);
  const conditions: SQL[] = [
    sql`list_id = ${id}`,
    sql`line > ${after}`,
    ...(state ? [sql`state = ${state}`] : []),
    ...(skipped ? [sql`state = 'skipped' and skipped = ${skipped}`] : []),
  ];
  const records = await ctx.db
    .select()
    .from(sendListRows)
    .where(and(...conditions))
    .orderBy(state || skipped ? sql`list_id, state, line` : sql`list_id, line`)
    .limit(limit + 1);
  const shown = records.slice(0, limit);
  const last = records.length > limit ? shown.at(-1) : undefined;
  return {
    data: shown.map((row) => toRow(row, columns)),
    next_cursor: last ? Buffer.from(String(last.line)).toString('base64url') : null,
  };
}

function readLine(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const line = Number(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (Number.isSafeInteger(line) && line >= 0) return line;
  throw invalidCursor();
}

const toRow = (row: typeof sendListRows.$inferSelect, columns: readonly string[]): ListRow => ({
  line: row.line,
  recipient: row.recipient,
  values: Object.fromEntries(columns.map((column, index) => [column, row.data[index] ?? null])),
  state: row.state,
  skipped: row.skipped,
  run_id: row.runId,
});

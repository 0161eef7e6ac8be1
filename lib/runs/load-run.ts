import { and, eq } from 'drizzle-orm';
import { runs } from '#lib/engine/schema/runs.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import { RUN_COLUMNS, type RunRow } from './run-row.ts';

const GET = `select ${RUN_COLUMNS} from runs r where r.id = $1 and r.workspace_id = $2`;

/** @throws AppError `not_found` */
export async function loadRun(ctx: Context, id: string): Promise<RunRow> {
  const { rows } = isId(id) ? await ctx.db.$client.query<RunRow>(GET, [id, ctx.workspaceId]) : { rows: [] };
  if (!rows[0]) throw noSuchRun();
  return rows[0];
}

/** Reads a run and keeps workers and others from changing it until the transaction ends. @throws AppError `not_found` */
export async function lockRun(ctx: Context, tx: Transaction, id: string): Promise<typeof runs.$inferSelect> {
  if (!isId(id)) throw noSuchRun();
  const [row] = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.id, id), eq(runs.workspaceId, ctx.workspaceId)))
    .for('update');
  if (!row) throw noSuchRun();
  return row;
}

const noSuchRun = (): AppError => new AppError('not_found', 'This run does not exist.');

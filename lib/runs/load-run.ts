import { isId } from '#lib/core/ids.ts';
import { noSuchRun } from '#lib/engine/store/lock-run.ts';
import type { Context } from '#lib/identity/context.ts';
import { RUN_COLUMNS, type RunRow } from './run-row.ts';

const GET = `select ${RUN_COLUMNS} from runs r where r.id = $1 and r.workspace_id = $2`;

/** @throws AppError `not_found` */
export async function loadRun(ctx: Context, id: string): Promise<RunRow> {
  const { rows } = isId(id) ? await ctx.db.$client.query<RunRow>(GET, [id, ctx.workspaceId]) : { rows: [] };
  if (!rows[0]) throw noSuchRun();
  return rows[0];
}

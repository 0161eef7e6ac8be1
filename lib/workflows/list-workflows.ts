import { workflows } from '#lib/engine/schema/workflows.ts';
import type { Context } from '#lib/identity/context.ts';
import { newestOf } from '#lib/identity/paging/newest-of.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/identity/paging/paging.ts';
import { selectWorkflows } from './load-workflow.ts';
import type { Workflow } from './schema.ts';
import { toWorkflow } from './to-workflow.ts';

/** The workspace's workflows, newest first. */
export async function listWorkflows(ctx: Context, { limit, cursor }: PageInput): Promise<Page<Workflow>> {
  const { where, order } = newestOf({
    key: [[workflows.workspaceId, ctx.workspaceId]],
    id: workflows.id,
    below: readCursor(cursor),
  });
  const found = await selectWorkflows(ctx.db, where)
    .orderBy(order)
    .limit(limit + 1);
  const rows = found.map((row) => ({ id: row.workflow.id, ...row }));
  return toPage(rows, limit, (row) => toWorkflow(ctx, row.workflow, row.tokenEncrypted));
}

import { desc, lt } from 'drizzle-orm';
import { workflows } from '#lib/db/schema/workflows.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/workspaces/paging.ts';
import { selectWorkflows } from './load-workflow.ts';
import type { Workflow } from './schema.ts';
import { toWorkflow } from './to-workflow.ts';

/** The workspace's workflows, newest first. */
export async function listWorkflows(ctx: Context, { limit, cursor }: PageInput): Promise<Page<Workflow>> {
  const found = await selectWorkflows(ctx, ctx.db, lt(workflows.id, readCursor(cursor)))
    .orderBy(desc(workflows.id))
    .limit(limit + 1);
  const rows = found.map((row) => ({ id: row.workflow.id, ...row }));
  return toPage(rows, limit, (row) => toWorkflow(ctx, row.workflow, row.tokenEncrypted));
}
